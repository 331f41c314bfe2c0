import { describe, expect, it } from 'vitest'
import type { Delivery, DeliveryMove } from '../../../../lib/deliver/delivery.ts'
import { dayCounter } from '../../../../lib/deliver/operators/day.ts'
import { listDestinations } from '../../../../lib/deliver/operators/destinations.ts'
import type { EventFilter, Position } from '../../../../lib/webhooks/operators/list.ts'
import { fixedClock, START } from '../../../support/fakes/clock.ts'
import { operatorDesk } from '../../../support/fakes/desk.ts'

const at = (seconds: number) => new Date(START.getTime() + seconds * 1000)

/** A destination with deliveries that ended like this, the newest event first. */
function destination(ends: readonly Partial<DeliveryMove>[], pageSize = 500, pageTime = 0) {
  const clock = fixedClock()
  const deliveries = ends.map((move, index) => {
    const status = move.status ?? 'DELIVERED'
    const history = [{ at: at(ends.length - index), attempt: 1, status, ...move }]
    const deliveredAt = status === 'DELIVERED' ? history[0]?.at : undefined
    const key = { source: 'test', eventId: `e-${index}`, destination: 'crm', id: BigInt(ends.length - index) }
    return { ...key, eventType: 'T', status, receivedAt: START, attempts: 1, endsAt: START, deliveredAt, history }
  }) satisfies readonly Delivery[]
  const asked: EventFilter[] = []
  const list = {
    async find(filter: EventFilter, after: Position | undefined) {
      asked.push(filter)
      clock.advance(pageTime)
      const rest = deliveries.filter(({ id }) => after === undefined || id < after.id)
      return { events: rest.slice(0, pageSize) as never, next: rest[pageSize] && rest[pageSize - 1] }
    },
    count: async () => 0,
  }
  const states = {
    of: async (events: readonly object[]) => events as readonly Delivery[],
    dead: () => list,
    summaries: async () => [],
  }
  return { clock, asked, dayOf: dayCounter({ list, states, clock }) }
}

describe('the day of a destination', () => {
  it('counts each delivery by its last attempt, and an order of an operator as none', async () => {
    const { dayOf, asked } = destination([
      { status: 'PENDING', attempt: undefined, user: 'admin' },
      { status: 'PENDING', ms: 15_000, answer: 'timed out' },
      ...Array.from({ length: 97 }, (_, index) => ({ ms: index + 1, answer: 'HTTP 204' })),
      { status: 'DEAD', ms: 400 },
      { status: 'DEAD', attempt: undefined, answer: 'the payload was deleted' },
    ])
    const { shown, last, lastDeliveredAt } = await dayOf('crm')
    expect(shown).toEqual({ delivered: 97, failed: 2, successRate: 0.9798, p50Ms: 50, p95Ms: 95, complete: true })
    expect([last?.answer, lastDeliveredAt]).toEqual(['timed out', at(99)])
    expect(asked).toEqual([{ from: at(-86_400) }])
  })

  it('has no rate without an attempt', async () => {
    const { shown } = await destination([]).dayOf('crm')
    expect(shown).toEqual({ delivered: 0, failed: 0, successRate: null, p50Ms: null, p95Ms: null, complete: true })
  })

  it('is counted over the newest 10,000 deliveries, and says so', async () => {
    const { dayOf, asked } = destination(Array.from({ length: 10_001 }, () => ({ ms: 1 })))
    expect((await dayOf('crm')).shown).toMatchObject({ delivered: 10_000, complete: false })
    expect(asked).toHaveLength(20)
  })

  it('is counted for three seconds at most, and says so', async () => {
    const slow = destination(
      Array.from({ length: 5000 }, () => ({ ms: 1 })),
      500,
      1500,
    )
    expect((await slow.dayOf('crm')).shown).toMatchObject({ delivered: 1000, complete: false })
  })

  it('is counted once a minute for all who ask, and anew by a clock that was set back', async () => {
    const { dayOf, asked, clock } = destination([{ ms: 1 }])
    await Promise.all([dayOf('crm'), dayOf('crm'), dayOf('bus')])
    clock.advance(59_999)
    await dayOf('crm')
    expect(asked).toHaveLength(2)
    clock.advance(1)
    await dayOf('crm')
    expect(asked).toHaveLength(3)
    clock.advance(-3_600_000)
    await dayOf('crm')
    expect(asked).toHaveLength(4)
  })

  it('is that of the one that is asked for, with the last answer of any kind', async () => {
    const { parts } = await operatorDesk()
    const { dayOf } = destination([{ ms: 1, answer: 'HTTP 204' }])
    await parts.health.change('crm', (present) => ({ ...present, lastAnswer: 'HTTP 503', lastAnswerAt: START }))
    const [crm, ...others] = await listDestinations({ ...parts, dayOf }, 'crm')
    expect(others).toEqual([])
    expect(crm).toMatchObject({
      lastDeliveredAt: '2026-01-02T03:04:06.000',
      lastAnswer: { at: '2026-01-02T03:04:06.000', status: 204, text: 'HTTP 204' },
      day: { delivered: 1, successRate: 1 },
    })
    await parts.health.change('crm', (present) => ({ ...present, lastAnswerAt: at(2) }))
    expect(await listDestinations({ ...parts, dayOf }, 'crm')).toMatchObject([
      { lastAnswer: { at: '2026-01-02T03:04:07.000', status: 503, text: 'HTTP 503' } },
    ])
    await expect(listDestinations({ ...parts, dayOf }, 'erp')).rejects.toMatchObject({ code: 'DESTINATION_NOT_FOUND' })
  })
})
