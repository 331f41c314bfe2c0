import { expect, it } from 'vitest'
import type { Carrier, DeliveryAnswer, Parcel } from '../../../../lib/deliver/carrier.ts'
import { asTested, testDestination } from '../../../../lib/deliver/operators/test.ts'
import { unavailable } from '../../../../lib/errors.ts'
import { destinationsIn, EACH_KIND } from '../../../support/destinations.ts'
import { fixedClock, START } from '../../../support/fakes/clock.ts'
import { countingIds } from '../../../support/fakes/ids.ts'

/** A test of a destination that answers so after so many milliseconds. */
function testOf(answer: () => DeliveryAnswer, takes = 0) {
  const clock = fixedClock()
  const parcels: Parcel[] = []
  const carrier: Carrier = {
    async carry(parcel) {
      parcels.push(parcel)
      clock.advance(takes)
      return answer()
    },
  }
  const carriers = new Map([['crm', async () => carrier]])
  return { parcels, run: (name = 'crm') => testDestination({ carriers, clock, ids: countingIds() }, name) }
}

it('a test sends one artificial event, as the first try', async () => {
  const { parcels, run } = testOf(() => ({ kind: 'delivered', answer: '204' }), 120)
  expect(await run()).toEqual({ delivered: true, answer: '204', durationMs: 120 })
  expect(parcels).toEqual([
    {
      event: {
        id: 1n,
        source: 'gatehouse',
        eventId: 'unique-1',
        eventType: 'gatehouse.test',
        receivedAt: START,
        payload: Buffer.from('{"type":"gatehouse.test","id":"unique-1","at":"2026-01-02T03:04:05.000Z"}'),
        headers: { 'content-type': 'application/json' },
        proof: { level: 'none', typeSigned: false, idSigned: false },
      },
      attempt: 1,
      traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
      at: START,
    },
  ])
})

it('a test shows the answer of the destination, whatever it was', async () => {
  const { run } = testOf(() => ({ kind: 'failed', answer: '410', isGone: true }))
  expect(await run()).toEqual({ delivered: false, answer: '410', durationMs: 0 })
})

it('an internal failure of a test is not an answer', async () => {
  const { run } = testOf(() => {
    throw unavailable(new Error('down'))
  })
  await expect(run()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})

it('an unknown destination is not found', async () => {
  const { parcels, run } = testOf(() => ({ kind: 'delivered', answer: '204' }))
  await expect(run('erp')).rejects.toMatchObject({ code: 'DESTINATION_NOT_FOUND' })
  expect(parcels).toEqual([])
})

it.each([
  [50_000, 20_000],
  [15_000, 15_000],
])(
  'a destination with a time limit of %i ms gets %i ms in a test, so that the caller receives an answer',
  (timeout, given) => {
    const tested = destinationsIn(EACH_KIND).map((one) => asTested({ ...one, timeout }))
    expect(tested).toEqual(destinationsIn(EACH_KIND).map((one) => ({ ...one, timeout: given })))
  },
)
