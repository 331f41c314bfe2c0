import { expect, it } from 'vitest'
import { timeLeft } from '../../../web/countdown.ts'

const NOW = new Date('2026-01-02T03:04:05.500Z')

it.each([
  ['2026-01-03T03:04:05.500Z', '1 d 00:00:00'],
  ['2026-01-02T04:06:08Z', '01:02:03'],
  ['2026-01-02T03:04:06Z', '00:00:01'],
  ['2026-01-02T03:04:05.500Z', undefined],
])('until %s there are %s', (end, text) => {
  expect(timeLeft(new Date(end), NOW)).toBe(text)
})
