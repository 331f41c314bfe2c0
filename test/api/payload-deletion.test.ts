import { randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, inject, it } from 'vitest'
import { WebhookEventService } from '../../proto/gen/gatehouse/v1/webhook_event_pb.ts'
import { tokenOf } from '../support/accounts.ts'
import { CookieClient } from '../support/browser-client.ts'
import { type Answer, bearer, call } from '../support/client.ts'
import { eventDetail, eventPayload, genericSignature, payment, postJson, postPayment } from '../support/events.ts'
import { bearerField, callUnary } from '../support/grpc-client.ts'

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
  it('deletes it at once; the event shows when and by whom, and a copy is still a duplicate', async () => {
    const { text, eventId } = await stored()
    expect((await remove('demo', eventId)).status).toBe(204)
    const { json, text: shown } = await eventDetail('demo', eventId)
    expect(json).toMatchObject({ eventId, status: 'PROCESSED', payload: null, payloadBytes: null, headers: {} })
    expect(json.payloadDeletedAt).toMatch(/^\d{4}-\d\d-\d\dT/)
    expect(json.history.at(-1).by).toBe('operator admin: the payload was deleted')
    expect(shown).not.toContain(text)
    expect(await rowsWith(text)).toEqual([])
    const copy = await send(text, eventId)
    expect([copy.status, (await eventDetail('demo', eventId)).json.payload]).toEqual([200, null])
    expect((await remove('demo', eventId)).status).toBe(204)
  })

  it('leads to 410 for a request of the payload', async () => {
    const { eventId } = await stored()
    await remove('demo', eventId)
    const { status, json } = await eventPayload('demo', eventId)
    expect([status, json]).toMatchObject([410, { status: 410, error: 'Gone', message: 'Payload deleted' }])
  })

  it('deletes a payload that is too large for the row', async () => {
    const eventId = randomUUID()
    const body = JSON.stringify({
      eventId,
      noise:
        Buffer.from(crypto.getRandomValues(new Uint8Array(60_000)))
          .toString('hex')
          .repeat(4) + randomUUID(),
    })
    expect((await call('/webhooks/demo', postJson(body, genericSignature(body, undefined, 'demo')))).status).toBe(200)
    expect((await eventPayload('demo', eventId)).text).toBe(body)
    expect((await remove('demo', eventId)).status).toBe(204)
    expect((await eventPayload('demo', eventId)).status).toBe(410)
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
    ['an unknown event', 'demo', '', 404],
    ['an impossible source', 'a%23part', '', 404],
    ['an unknown option', 'demo', '?force=maybe', 400],
    ['an unknown parameter', 'demo', '?forced=true', 400],
  ])('P16 refuses %s', async (_, source, query, status) => {
    expect((await remove(source, randomUUID(), query)).status).toBe(status)
  })
})

const documents = () =>
  DynamoDBDocumentClient.from(
    new DynamoDBClient({
      endpoint: inject('ready').dynamodb,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    }),
    { unmarshallOptions: { wrapNumbers: true } },
  )

const EVENTS = 'gatehouse-local-events'

/** Lets the end of a stored event be past. */
async function end(source: string, eventId: string): Promise<void> {
  const update = {
    TableName: EVENTS,
    Key: { source, eventId },
    UpdateExpression: 'SET expireAt = :past',
    ExpressionAttributeValues: { ':past': Math.floor(Date.now() / 1000) },
  }
  await documents().send(new UpdateCommand(update))
}

async function rowsWith(text: string): Promise<readonly string[]> {
  const tables = ['events', 'payments', 'orders', 'replays', 'users', 'sessions', 'counters', 'refusals', 'deliveries']
  const found: string[] = []
  for (const table of tables) {
    let start: Record<string, unknown> | undefined
    do {
      const scan = new ScanCommand({ TableName: `gatehouse-local-${table}`, ExclusiveStartKey: start })
      const page = await documents().send(scan)
      found.push(...(page.Items ?? []).map(shown).filter((row) => row.includes(text)))
      start = page.LastEvaluatedKey
    } while (start)
  }
  return found
}

function shown(row: object): string {
  const bytes = Object.values(row).filter((value) => value instanceof Uint8Array)
  return inspect(row, { depth: null }) + bytes.map((one) => Buffer.from(one).toString('latin1')).join('\n')
}

describe('an event that is past its end', () => {
  it('P17 is shown by no list, detail, file or message, and a copy of it is a duplicate', async () => {
    const { text, eventId } = await stored()
    await end('demo', eventId)
    const admin = await tokenOf('admin')
    const [list, file] = [
      await call(`/api/webhooks/events?source=demo&q=${eventId}`, bearer(admin)),
      await eventPayload('demo', eventId),
    ]
    const read = await callUnary(
      WebhookEventService.method.getWebhookEvent,
      { source: 'demo', eventId, includePayload: true },
      bearerField(admin),
    )
    expect(list.json).toMatchObject({ events: [] })
    expect([(await eventDetail('demo', eventId)).status, file.status, read.messages]).toEqual([404, 404, []])
    const copy = await send(text, eventId)
    expect([copy.status, (await eventDetail('demo', eventId)).status]).toEqual([200, 404])
  })
})
