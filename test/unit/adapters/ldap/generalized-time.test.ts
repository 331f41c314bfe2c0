import { expect, it } from 'vitest'
import { generalizedTime } from '../../../../lib/adapters/ldap/entry.ts'

it.each([
  ['20261123200102Z', '2026-11-23T20:01:02.000Z'],
  ['20261123200102.5Z', '2026-11-23T20:01:02.500Z'],
  ['20261123200102,123456Z', '2026-11-23T20:01:02.123Z'],
  ['202611232001Z', '2026-11-23T20:01:00.000Z'],
  ['2026112320Z', '2026-11-23T20:00:00.000Z'],
  ['2026112320.25Z', '2026-11-23T20:15:00.000Z'],
  ['20261123200102+0130', '2026-11-23T18:31:02.000Z'],
  ['20261123200102-05', '2026-11-24T01:01:02.000Z'],
])('the time %s is %s', (text, expected) => {
  expect(generalizedTime(text)?.toISOString()).toBe(expected)
})

it.each(['', 'Z', '20261123200102', '20261323200102Z', '2026-11-23T20:01:02Z', '99991231235959.Z'])(
  '%j is not a time',
  (text) => {
    expect(generalizedTime(text)).toBeUndefined()
  },
)
