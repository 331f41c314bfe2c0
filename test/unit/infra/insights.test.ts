import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { queried } from '../../support/cloudwatch/insights.ts'
import { sectionOf } from '../../support/cloudwatch/runbook.ts'

const lines = [
  { level: 'ERROR', message: 'kept', cause: { code: 'A', cause: { message: 'deep' } }, step: 2 },
  { level: 'WARN', message: 'kept', step: 10 },
  { level: 'INFO', message: 'other', status: '503' },
].map((content, index) => ({
  group: index === 2 ? '/access' : '/x/jobs',
  stream: index === 2 ? '' : '2026/01/01/x-retryEvent[$LATEST][0a]',
  at: index * 60_000,
  message: JSON.stringify(content),
}))

it.each([
  [
    "filter @logStream like 'retryEvent' and (level = 'INFO' or message like 'kep')\n| stats count() by message",
    [{ message: 'kept', 'count()': 2 }],
  ],
  [
    "filter level in ['WARN', 'ERROR']\n| fields message, step\n| sort step desc\n| limit 1",
    [{ message: 'kept', step: 10 }],
  ],
  [
    "filter message = 'kept'\n| stats max(step), latest(level), pct(step, 99) as p by bin(5m)",
    [{ 'bin(5m)': 0, 'max(step)': 10, 'latest(level)': 'WARN', p: 10 }],
  ],
  ['filter status >= 500\n| stats count() as calls by status', [{ status: '503', calls: 1 }]],
  ["filter cause.cause.message like 'deep' | fields cause.code", [{ 'cause.code': 'A' }]],
  ["filter nothing = 'there'", []],
  [
    'parse @logStream /(?<function>[\\w-]+)\\[/\n| stats count() by function',
    [
      { function: 'x-retryEvent', 'count()': 2 },
      { function: null, 'count()': 1 },
    ],
  ],
  ['filter not ispresent(step) | fields message', [{ message: 'other' }]],
])('%s', (query, found) => {
  expect(queried(query, lines)).toEqual(found)
})

it.each(['parse @message "*" as x', "filter a ~ 'b'", "filter (a = 'b'", 'stats median(x) by y'])(
  'an unknown part is refused: %s',
  (query) => {
    expect(() => queried(query, lines)).toThrow('not known here')
  },
)

const titles = [...readFileSync('docs/runbook.md', 'utf8').matchAll(/^## ([\w-]+)$/gm)].map(([, title = '']) => title)

it('every query of the runbook can be parsed', () => {
  const queries = titles.flatMap((title) => sectionOf(title).queries)
  expect(queries.length).toBeGreaterThan(10)
  for (const query of queries) expect(queried(query, [])).toEqual([])
})

it('every section of the runbook has a drill, with all of its queries and commands', () => {
  const drills = globSync('quality/long/drills/*.ts')
    .map((file) => readFileSync(file, 'utf8'))
    .join()
  expect(titles.filter((title) => !drills.includes(`alarm: '${title}'`))).toEqual([])
})
