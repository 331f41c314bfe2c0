import { expect, it } from 'vitest'
import { redeliver } from '../../../../lib/deliver/operators/order.ts'
import { releaseNow } from '../../../../lib/deliver/operators/release.ts'
import { asHeld, type WebhookEvent } from '../../../../lib/webhooks/event.ts'
import { operatorDesk } from '../../../support/fakes/desk.ts'
import { memoryHeldEvents } from '../../../support/fakes/operator-store.ts'
import { failedEvent } from '../../../support/fakes/webhooks.ts'

const KEY = { source: 'test', eventId: 'event-1' }
const ORDER = { user: 'admin', reason: 'its sender meant it' }

async function setUp(event: WebhookEvent = asHeld(failedEvent({ possibleDuplicateOf: 'a' }))) {
  const desk = await operatorDesk(event)
  const { queue: deliveryQueue, ...parts } = desk.parts
  const held = memoryHeldEvents(desk.store)
  return {
    ...desk,
    release: (key = KEY) => releaseNow({ ...parts, held, deliveryQueue, queue: desk.store.retryQueue }, key, ORDER),
  }
}

it('S2 a release runs a held event and delivers it to every destination that wants it and has it not', async () => {
  const { release, store, memory, log, sent, add } = await setUp()
  add('ledger')
  expect(await release()).toMatchObject({ status: 'RECEIVED', possibleDuplicateOf: 'a' })
  expect(store.find(KEY)?.held).toBeUndefined()
  expect(store.queue).toEqual([{ hint: { ...KEY, n: 0 }, delayMs: 0 }])
  expect((await memory.desk.of(KEY)).map(({ destination }) => destination).sort()).toEqual(['crm', 'ledger'])
  expect(sent.map(({ hint }) => hint.destination)).toEqual(['crm'])
  expect(log.of('audit')).toEqual([
    { decision: 'released', ...KEY, eventType: 'TEST', outcome: 'held', user: 'admin', note: 'its sender meant it' },
  ])
})

it('S2 a release judges the content of the event', async () => {
  const desk = await operatorDesk(asHeld(failedEvent({ payload: Buffer.from('{"n":1}') })))
  const { queue: deliveryQueue, ...parts } = desk.parts
  const destinations = parts.destinations.map((one, n) => ({
    ...one,
    from: new Map([['*', ['**']]]),
    where: { json: { n: [n] } },
  }))
  const held = memoryHeldEvents(desk.store)
  await releaseNow({ ...parts, destinations, held, deliveryQueue, queue: desk.store.retryQueue }, KEY, ORDER)
  expect((await desk.memory.desk.of(KEY)).map(({ destination }) => destination)).toEqual([destinations[1]?.name])
})

it('S2 a release of another event, or of one without its payload, is a conflict', async () => {
  await expect((await setUp(failedEvent())).release()).rejects.toMatchObject({ code: 'EVENT_NOT_HELD', status: 409 })
  const gone = asHeld(failedEvent({ payloadDeletedAt: new Date() }))
  await expect((await setUp(gone)).release()).rejects.toMatchObject({ code: 'PAYLOAD_MISSING' })
  await expect((await setUp()).release({ ...KEY, eventId: 'b' })).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' })
  const twice = await setUp()
  await twice.release()
  await expect(twice.release()).rejects.toMatchObject({ code: 'EVENT_NOT_HELD' })
})

it('S2 nothing is delivered of a held event by an order for one destination', async () => {
  const { parts } = await setUp()
  await expect(redeliver(parts, { ...KEY, destination: 'crm' }, ORDER)).rejects.toMatchObject({ code: 'EVENT_HELD' })
})
