import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeOrder, ORDER_STATUSES, type Order, type OrderChange } from '../../../lib/orders/order.ts'
import { comparableDateTime } from '../../../lib/runtime/time.ts'
import { applyEffects } from '../../../lib/webhooks/apply.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { MemoryStore } from '../../support/fakes/memory-store.ts'
import { failedEvent } from '../../support/fakes/webhooks.ts'

const at = (text: string) => comparableDateTime(text)
const order = (timestamp: string | undefined): OrderChange => ({ orderId: 'o', status: 'SHIPPED', timestamp })

describe('an older timestamp than the stored one does not move the order back', () => {
  it.each([
    ['a nanosecond older', '2026-01-02T03:04:05.000000001', '2026-01-02T03:04:05', 'superseded'],
    ['a nanosecond newer', '2026-01-02T03:04:05', '2026-01-02T03:04:05.000000001', 'advances'],
    ['the same time in another form', '2026-01-02T03:04', '2026-01-02T03:04:00.000Z', 'advances'],
  ])('%s', (_, stored, given, judgement) => {
    expect(judgeOrder(order(at(stored)), order(at(given)))).toBe(judgement)
  })
})

describe('the order of arrival decides without timestamps to compare', () => {
  it.each([
    ['no timestamp', '2026-01-02T03:04:05', undefined],
    ['no stored timestamp', undefined, '2026-01-02T03:04:05'],
    ['neither', undefined, undefined],
  ])('%s', (_, stored, given) => {
    expect(judgeOrder(order(stored && at(stored)), order(given && at(given)))).toBe('advances')
  })
})

const part = fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined })
const change = fc.record({
  orderId: fc.constant('o'),
  status: fc.constantFrom(...ORDER_STATUSES),
  trackingNumber: part,
  carrier: part,
})
const changes = fc.array(change, { minLength: 1, maxLength: 6 })

/** The order that is left when the changes arrive one after the other. */
async function arrived(given: readonly OrderChange[]): Promise<Order | undefined> {
  const { eventStore, orders } = new MemoryStore()
  for (const [index, one] of given.entries()) {
    const event = failedEvent({ status: 'PROCESSED', id: BigInt(index), eventId: `event-${index}` })
    await applyEffects(event, { order: one }, recordingLog(), (effects) => eventStore.insert(event, effects))
  }
  return orders.get('o')
}

describe('events of one order', () => {
  it('in any order of arrival, with distinct timestamps, lead to the newest, with every value that any of them contained', async () => {
    const shuffled = changes.chain((made) => {
      const timed = made.map(
        (one, index): OrderChange => ({ ...one, timestamp: at(`2026-01-02T03:04:05.00000000${index}`) }),
      )
      return fc.tuple(fc.constant(timed), fc.shuffledSubarray(timed, { minLength: timed.length }))
    })
    await fc.assert(
      fc.asyncProperty(shuffled, async ([timed, arriving]) => {
        const newest = timed.at(-1)
        const left = await arrived(arriving)
        expect(left).toMatchObject({ status: newest?.status, timestamp: newest?.timestamp })
        for (const name of ['trackingNumber', 'carrier'] as const) {
          const said = newest?.[name] === undefined ? timed.map((one) => one[name]) : [newest[name]]
          expect(said).toContain(left?.[name])
          expect(left?.[name] !== undefined).toBe(said.some((value) => value !== undefined))
        }
      }),
    )
  })

  it('without timestamps lead to the last that arrived', async () => {
    await fc.assert(
      fc.asyncProperty(changes, async (arriving) => {
        const last = <K extends keyof OrderChange>(name: K) =>
          arriving.map((one: OrderChange) => one[name]).findLast((value) => value !== undefined)
        expect(await arrived(arriving)).toEqual({
          orderId: 'o',
          status: last('status'),
          trackingNumber: last('trackingNumber'),
          carrier: last('carrier'),
        })
      }),
    )
  })
})
