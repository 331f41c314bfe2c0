import { beforeAll, describe, expect, inject, it } from 'vitest'
import { eventDetail, payment, postPayment } from '../support/events.ts'
import { type TopicQueue, topicQueue } from '../support/topic-queue.ts'

let listener: TopicQueue
const heard: { eventId: string }[] = []

beforeAll(async () => {
  listener = await topicQueue(inject('ready').sqs, 'gatehouse-local-events')
})

/** The hints about an event, once there are that many; the service publishes about the events of other tests too. */
async function hintsOf({ eventId }: { eventId?: unknown }, count: number) {
  for (;;) {
    const hints = heard.filter((hint) => hint.eventId === eventId)
    if (hints.length >= count) return hints
    heard.push(...(await listener.receive(5)).map((message) => JSON.parse(message)))
  }
}

describe('the change feed', () => {
  it('announces a new event once, as the record shows it, and does not announce its duplicate', async () => {
    const stored = payment()
    const later = payment()
    await postPayment(stored)
    await postPayment(stored)
    await postPayment(later)
    await hintsOf(later, 1)
    const { json } = await eventDetail('payment', String(stored['eventId']))
    const { id, source, eventId, eventType, status, receivedAt, proof } = json
    expect(await hintsOf(stored, 1)).toEqual([
      { changeId: expect.stringMatching(/^\d{19}$/), id, source, eventId, eventType, status, receivedAt, proof },
    ])
  })

  it('announces a failure and every retry', async () => {
    const stored = payment()
    await postPayment(stored)
    const failing = { ...stored, eventId: `${stored['eventId']}-other`, orderId: 'another-order' }
    expect((await postPayment(failing)).status).toBe(500)
    const hints = await hintsOf(failing, 4)
    expect(hints).toEqual(Array.from({ length: 4 }, () => expect.objectContaining({ status: 'FAILED' })))
  })

  it('announces no refused call', async () => {
    const refused = payment()
    const later = payment()
    await postPayment(refused, { 'x-signature': '0'.repeat(64) })
    await postPayment(later)
    await hintsOf(later, 1)
    expect(await hintsOf(refused, 0)).toEqual([])
  })
})
