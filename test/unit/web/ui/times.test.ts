import { expect, it } from 'vitest'
import { relativeTime, timeLeft } from '../../../../web/ui/times.tsx'

const NOW = new Date('2026-01-02T03:04:05.500Z')

it.each([
  ['2026-01-03T03:04:05.500Z', '1 d 00:00:00'],
  ['2026-01-02T04:06:08Z', '01:02:03'],
  ['2026-01-02T03:04:06Z', '00:00:01'],
  ['2026-01-02T03:04:05.500Z', undefined],
])('until %s there are %s', (end, text) => {
  expect(timeLeft(new Date(end), NOW)).toBe(text)
})

it.each([
  ['2026-01-02T03:34:05.500Z', 'in 30 minutes'],
  ['2026-01-02T03:34:05.499Z', 'in 29 minutes'],
  ['2026-01-02T03:04:06Z', 'in 0 seconds'],
  ['2026-01-01T03:04:05.500Z', '1 day ago'],
  ['2026-03-02T03:04:05.500Z', 'in 59 days'],
])('%s is %s', (time, text) => {
  expect(relativeTime(new Date(time), NOW)).toBe(text)
})
