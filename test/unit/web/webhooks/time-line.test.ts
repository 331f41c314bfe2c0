import { expect, it } from 'vitest'
import { timeLine } from '../../../../web/webhooks/time-line.ts'
import { record } from './records.ts'

const NOW = new Date('2026-01-02T03:30:30Z')
const at = (receivedAt: string, changes = {}) => record({ receivedAt: `2026-01-02T${receivedAt}.000`, ...changes })

it('counts the events of each minute by outcome', () => {
  const { minutes, bars } = timeLine(
    [
      at('03:30:00', { status: 'PROCESSED' }),
      at('03:29:59', { status: 'RETRY' }),
      at('03:29:30', { status: 'FAILED', dead: true }),
      at('03:29:00', { status: 'FAILED' }),
      at('03:29:00', { status: 'RECEIVED' }),
    ],
    NOW,
  )
  expect(minutes).toBe(1)
  expect(bars.slice(-3)).toEqual([
    { start: new Date('2026-01-02T03:28:00Z'), processed: 0, underWay: 0, failed: 0, dead: 0 },
    { start: new Date('2026-01-02T03:29:00Z'), processed: 0, underWay: 2, failed: 1, dead: 1 },
    { start: new Date('2026-01-02T03:30:00Z'), processed: 1, underWay: 0, failed: 0, dead: 0 },
  ])
})

it.each([
  ['none', [], 1, 30],
  ['the last half hour', ['2026-01-02T03:10:00.000'], 1, 30],
  ['47 minutes ago', ['2026-01-02T02:43:00.000'], 1, 48],
  ['48 minutes ago', ['2026-01-02T02:42:00.000'], 5, 30],
  ['a day ago', ['2026-01-01T03:30:00.000'], 60, 30],
  ['a year ago', ['2025-01-02T03:30:00.000'], 1440, 48],
  ['a clock that is ahead of ours', ['2026-01-02T03:32:00.000'], 1, 30],
])('shows all in as many bars as one can read: %s', (_, times, minutes, count) => {
  const line = timeLine(
    times.map((receivedAt) => record({ receivedAt })),
    NOW,
  )
  expect([line.minutes, line.bars.length]).toEqual([minutes, count])
})

it('has the latest events where not all can be shown', () => {
  const { bars } = timeLine([record({ receivedAt: '2025-01-02T03:30:00.000' }), at('03:30:00')], NOW)
  expect(bars.reduce((sum, { failed }) => sum + failed, 0)).toBe(1)
})
