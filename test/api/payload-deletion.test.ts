import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { tokenOf } from '../support/accounts.ts'
import { CookieClient } from '../support/browser-client.ts'
import { type Answer, bearer, call } from '../support/client.ts'
import { eventDetail, eventPayload, genericSignature, payment, postJson, postPayment } from '../support/events.ts'

async function remove(source: string, eventId: string, query = '', user = 'admin'): Promise<Answer> {
  const path = `/api/webhooks/events/${source}/${encodeURIComponent(eventId)}/payload${query}`
  return call(path, { method: 'DELETE', ...bearer(await tokenOf(user)) })
}

async function retry(eventId: string): Promise<Answer> {
  return call(`/api/webhooks/events/payment/${eventId}/retry`, { method: 'POST', ...bearer(await tokenOf('admin')) })
}

/** A call of the sender `demo`, with a text wherever a sender may write one; the body names the event. */
async function send(text: string, eventId: string): Promise<Answer> {
  const body = JSON.stringify({ eventId, eventType: `note of ${text}`, nested: { text, [text]: [text] } })
  const headers = { 'user-agent': text, 'x-request-id': text, ...genericSignature(body, undefined, 'demo') }
  return call('/webhooks/demo', postJson(body, headers))
}

async function stored(text = `canary-${randomUUID()}@example.com`) {
  const eventId = randomUUID()
  expect((await send(text, eventId)).status).toBe(200)
  return { text, eventId }
}

/** A payment that contradicts a stored one: it waits for a retry, or is dead. */
async function failing(): Promise<string> {
  const first = payment()
  await postPayment(first)
  const eventId = randomUUID()
  expect((await postPayment({ ...first, eventId, orderId: `other-${eventId}` })).status).toBe(500)
  return eventId
}

describe('DELETE /api/webhooks/events/{source}/{eventId}/payload', () => {
  it('P17 deletes it at once; the event shows when and by whom, and a copy is still a duplicate', async () => {
    const { text, eventId } = await stored()
    expect((await remove('demo', eventId)).status).toBe(204)
    const { json, text: shown } = await eventDetail('demo', eventId)
    expect(json).toMatchObject({ eventId, status: 'PROCESSED', payload: null, payloadBytes: null, headers: {} })
    expect(json.payloadDeletedAt).toMatch(/^\d{4}-\d\d-\d\dT/)
    expect(json.history.at(-1).by).toBe('operator admin: the payload was deleted')
    expect(shown).not.toContain(text)
    const file = await eventPayload('demo', eventId)
    expect([file.status, file.json]).toMatchObject([410, { error: 'Gone', message: 'Payload deleted' }])
    const copy = await send(text, eventId)
    expect([copy.status, (await eventDetail('demo', eventId)).json.payload]).toEqual([200, null])
    expect((await remove('demo', eventId)).status).toBe(204)
  })

  it('waits for the end of a retry unless it is forced; a dead event cannot be retried after it', async () => {
    const eventId = await failing()
    const isWaiting = async () => (await eventDetail('payment', eventId)).json.nextRetryAt !== null
    const early = (await isWaiting()) ? await remove('payment', eventId) : undefined
    if (early?.status === 409) expect(early.json.message).toBe('Webhook event is under way')
    expect((await remove('payment', eventId, '?force=true')).status).toBe(204)
    expect((await eventDetail('payment', eventId)).json).toMatchObject({ status: 'FAILED', dead: true, payload: null })
    const { status, json } = await retry(eventId)
    expect([status, json.message]).toEqual([409, 'The payload of the webhook event was deleted'])
  })

  it('P16 is for admins, and requires the token of a session like every change', async () => {
    const { eventId } = await stored()
    expect((await remove('demo', eventId, '', 'user')).status).toBe(403)
    const path = `/api/webhooks/events/demo/${eventId}/payload`
    expect((await call(path, { method: 'DELETE' })).status).toBe(401)
    const client = new CookieClient()
    await client.login('admin', 'admin-demo')
    expect((await client.call(path, { method: 'DELETE' })).status).toBe(403)
    expect((await eventDetail('demo', eventId)).json.payload).not.toBeNull()
  })

  it.each([
    ['an unknown event', '', 404],
    ['an unknown option', '?force=maybe', 400],
  ])('P16 refuses %s', async (_, query, status) => {
    expect((await remove('demo', randomUUID(), query)).status).toBe(status)
  })
})
