import { expect, it } from 'vitest'
import { reportOf } from '../../../../localstack/migrate/report.ts'

it.each<[string, number, [number, number][], number, number, number]>([
  ['rows: none; nothing to do', 0, [], 0, 0, 1],
  ['rows: 3 of version 1; nothing to do', 0, [[1, 3]], 0, 0, 1],
  ['rows: 3 of version 1, 4 of version 2; 3 rewritten, 0 left', 0, [[2, 4], [1, 3]], 3, 0, 2], // biome-ignore format: a table
  ['rows: 3 of version 1; 1 rewritten, 2 left', 3, [[1, 3]], 1, 2, 2],
  [
    'rows: 3 of version 1, 2 of version 2; 2 are of a version that this release does not know: its newest is 1',
    1,
    [
      [1, 3],
      [2, 2],
    ],
    0,
    0,
    1,
  ],
])('%s: exit code %i', (text, code, versions, rewritten, left, newest) => {
  expect(reportOf({ versions: new Map(versions), rewritten, left }, newest)).toMatchObject({ text, code })
})

it('prints the same in JSON, versions in order', () => {
  const versions = new Map([
    [2, 1],
    [1, 5],
  ])
  expect(reportOf({ versions, rewritten: 4, left: 1 }, 2).report).toEqual({
    versions: { 1: 5, 2: 1 },
    newest: 2,
    rewritten: 4,
    left: 1,
    unknown: 0,
  })
})
