import { describe, expect, it } from 'vitest'
import type { WebhookEvent } from '../../../../lib/webhooks/event.ts'
import { countEvents } from '../../../../lib/webhooks/operators/counts.ts'
import { memoryCountedEvents } from '../../../support/fakes/counted-events.ts'
import { failedEvent } from '../../../support/fakes/webhooks.ts'

const NOW = new Date('2026-03-04T05:06:07.890Z')
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000)
const DAY = 86_400

const events = [
  failedEvent({ source: 'stripe', receivedAt: ago(0), dead: true, errorMessage: 'Card declined' }),
  failedEvent({ source: 'stripe', receivedAt: ago(3600), status: 'PROCESSED' }),
  failedEvent({ source: 'payment', receivedAt: ago(DAY), status: 'PROCESSED' }),
  failedEvent({ source: 'payment', receivedAt: ago(DAY + 1), status: 'RETRY' }),
]
const stored = memoryCountedEvents(() => events)

describe('counts', () => {
  it('cover the last day, by status, by source and over time', async () => {
    const { buckets, ...counts } = await countEvents(stored, {}, NOW)
    expect(counts).toEqual({
      from: '2026-03-03T05:06:07.890',
      to: '2026-03-04T05:06:07.890',
      complete: true,
      bucketSeconds: 900,
      totals: { status: { FAILED: 1, PROCESSED: 2 }, dead: 1, source: { payment: 1, stripe: 2 } },
    })
    expect(buckets).toHaveLength(97)
    expect(buckets.filter(({ status }) => Object.keys(status).length > 0)).toEqual([
      { at: '2026-03-03T05:00:00.000', status: { PROCESSED: 1 } },
      { at: '2026-03-04T04:00:00.000', status: { PROCESSED: 1 } },
      { at: '2026-03-04T05:00:00.000', status: { FAILED: 1 }, dead: 1 },
    ])
  })

  it.each([
    ['from', { from: ago(3600) }, '2026-03-04T04:06:07.890', '2026-03-04T05:06:07.890', 2],
    ['to', { to: ago(1) }, '2026-03-03T05:06:06.890', '2026-03-04T05:06:06.890', 3],
    ['both', { from: ago(DAY + 1), to: ago(DAY) }, '2026-03-03T05:06:06.890', '2026-03-03T05:06:07.890', 2],
    ['a from in the future', { from: ago(-9) }, '2026-03-04T05:06:16.890', '2026-03-04T05:06:16.890', 0],
  ])('cover the requested span: %s', async (_, span, from, to, total) => {
    const counts = await countEvents(stored, span, NOW)
    expect(counts).toMatchObject({ from, to })
    expect(Object.values(counts.totals.source).reduce((sum, count) => sum + count, 0)).toBe(total)
  })

  it.each([
    ['a text', { q: 'card' }, { FAILED: 1 }],
    ['what waits for an operator', { attention: true }, { FAILED: 1 }],
    ['what is retried by itself or done', { dead: false }, { PROCESSED: 2 }],
  ] as const)('follow the search for %s', async (_, filter, status) => {
    expect((await countEvents(stored, filter, NOW)).totals.status).toEqual(status)
  })

  it('are lower bounds beyond 50,000 events', async () => {
    const event = failedEvent({ receivedAt: NOW })
    const many = (count: number) => memoryCountedEvents(() => Array<WebhookEvent>(count).fill(event))
    const all = await countEvents(many(50_000), {}, NOW)
    expect([all.complete, all.totals.status]).toEqual([true, { FAILED: 50_000 }])
    const some = await countEvents(many(50_001), {}, NOW)
    expect([some.complete, some.totals.status]).toEqual([false, { FAILED: 50_000 }])
  })
})
