import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { type MessageInitShape, toJson } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import {
  type ListWebhookEventsRequestSchema,
  type WatchWebhookEventsResponse,
  type WebhookEvent,
  WebhookEventSchema,
  WebhookEventService,
  WebhookEventStatus,
} from '../../proto/gen/gatehouse/v1/webhook_event_pb.ts'
import { tokenOf } from '../support/accounts.ts'
import { type Answer, bearer, call } from '../support/client.ts'
import { deadEvent, eventDetail, payment, postJson, postPayment, untilDead } from '../support/events.ts'
import { failedEvent } from '../support/fakes/webhooks.ts'
import { bearerField, callUnary, type Fields, openStream } from '../support/grpc-client.ts'
import { leaveBehind } from '../support/local-tables.ts'
import { linesWith } from '../support/service-log.ts'

const { getWebhookEvent, listWebhookEvents, retryWebhookEvent, watchWebhookEvents } = WebhookEventService.method
const { FAILED, PROCESSED, PROCESSING, RECEIVED, RETRY } = WebhookEventStatus

type ListRequest = MessageInitShape<typeof ListWebhookEventsRequestSchema>

async function list(request: ListRequest) {
  const answer = await callUnary(listWebhookEvents, request, bearerField(await tokenOf('admin')))
  const [page] = answer.messages
  return { ...answer, events: page?.events ?? [], nextPageToken: page?.nextPageToken ?? '' }
}

async function listOverHttp(query: string): Promise<Answer> {
  return call(`/api/webhooks/events?${query}`, bearer(await tokenOf('admin')))
}

async function retry(request: { source: string; eventId: string; reason?: string }, username = 'admin') {
  return callUnary(retryWebhookEvent, request, bearerField(await tokenOf(username)))
}

/** Texts of protobuf's JSON as the HTTP API writes them. */
function spelled(value: unknown): unknown {
  if (typeof value !== 'string') return value
  // Protobuf leaves out the milliseconds of a whole second.
  return value
    .replace('WEBHOOK_EVENT_STATUS_', '')
    .replace(/(:\d\d)(\.\d{3})?Z$/, (_, seconds, rest = '.000') => `${seconds}${rest}`)
}

/** The record of the HTTP API that says what this one says. */
function twinOf(event: WebhookEvent) {
  const absent = { attempts: 0, dead: false, processedAt: null, nextRetryAt: null, errorMessage: null, outcome: null }
  const unmarked = { possibleDuplicateOf: null, idConflict: null, itemCount: null }
  const { proof, ...given } = toJson(WebhookEventSchema, event) as { readonly proof: { readonly level: string } }
  const level = proof.level.replace('WEBHOOK_EVENT_PROOF_LEVEL_', '').toLowerCase()
  const spelledOut = Object.entries(given).map(([name, value]) => [name, spelled(value)])
  return {
    ...absent,
    ...unmarked,
    ...Object.fromEntries(spelledOut),
    proof: { key: null, signedAt: null, ...proof, level },
  }
}

/** A payment that was processed and one that failed for good. */
const stored = payment()
const q = String(stored['eventId'])
let dead: string

beforeAll(async () => {
  dead = await deadEvent(stored)
  const isListed = async () => {
    const { json } = await listOverHttp(`q=${q}&dead=true`)
    return json.events.length === 1
  }
  await vi.waitUntil(isListed, { timeout: 20_000, interval: 100 })
})

it('GetWebhookEvent returns a body that is too large for its row byte for byte', async () => {
  const payload = randomBytes(700_000)
  const payloadSha256 = createHash('sha256').update(payload).digest('hex')
  const key = { source: 'demo', eventId: randomUUID() }
  await leaveBehind(failedEvent({ ...key, payload, payloadSha256, dead: true, nextRetryAt: undefined }))
  const token = bearerField(await tokenOf('admin'))
  const [detail] = (await callUnary(getWebhookEvent, { ...key, includePayload: true }, token)).messages
  expect(payload.equals(detail?.payload ?? new Uint8Array())).toBe(true)
})

describe('ListWebhookEvents', () => {
  it.each<[string, WebhookEventStatus[], () => string[]]>([
    ['of every status', [], () => [dead, q]],
    ['of several statuses', [PROCESSED, FAILED], () => [dead, q]],
    ['of one status', [FAILED], () => [dead]],
    ['of statuses without an event', [RECEIVED, PROCESSING, RETRY], () => []],
  ])('shows the events %s, newest first, page by page', async (_, statuses, expected) => {
    const seen: string[] = []
    let pageToken = ''
    do {
      const { code, events, nextPageToken } = await list({ query: q, statuses, pageSize: 1, pageToken })
      expect(code).toBe('OK')
      seen.push(...events.map(({ eventId }) => eventId))
      pageToken = nextPageToken
    } while (pageToken !== '')
    expect(seen).toEqual(expected())
  })

  it('shows the records of GET /api/webhooks/events', async () => {
    const { json } = await listOverHttp(`q=${q}`)
    const { events } = await list({ query: q })
    expect(events.map(twinOf)).toEqual(json.events)
    expect(events).toHaveLength(2)
  })

  it('continues after a page of GET /api/webhooks/events with the same filter, and vice versa', async () => {
    const { json: first } = await listOverHttp(`q=${q}&limit=1`)
    const { events, nextPageToken } = await list({ query: q, pageToken: first.nextCursor })
    expect(events.map(({ eventId }) => eventId)).toEqual([q])
    expect(nextPageToken).toBe('')
    const { nextPageToken: cursor } = await list({ query: q, pageSize: 1 })
    expect((await listOverHttp(`q=${q}&cursor=${cursor}`)).json.events).toMatchObject([{ eventId: q }])
  })

  const [early, late] = ['2026-01-01T00:00:00.000', '2026-01-02T00:00:00.000']
  const timestamp = (text: string) => timestampFromDate(new Date(`${text}Z`))

  it.each<[string, string, ListRequest, Readonly<Record<string, string>>]>([
    ['an unknown status', 'status=DEAD', { statuses: [9 as WebhookEventStatus] }, { status: 'statuses' }],
    ['a control character', 'source=%00', { source: '\0' }, { source: 'source' }],
    ['long texts', `type=${'a'.repeat(257)}`, { eventType: 'a'.repeat(257) }, { type: 'event_type' }],
    ['a long query', `q=${'a'.repeat(257)}`, { query: 'a'.repeat(257) }, { q: 'query' }],
    ['a page size over the limit', 'limit=201', { pageSize: 201 }, { limit: 'page_size' }],
    ['an invalid cursor', 'cursor=abc', { pageToken: 'abc' }, { cursor: 'page_token' }],
    [
      'times in the wrong order',
      `from=${late}&to=${early}`,
      { receivedFrom: timestamp(late), receivedTo: timestamp(early) },
      { to: 'received_to' },
    ],
  ])('refuses %s like GET /api/webhooks/events', async (_, query, request, fields) => {
    const { json } = await listOverHttp(query)
    const { code, text, rich } = await list(request)
    expect([code, text, rich?.reason]).toEqual(['INVALID_ARGUMENT', json.message, 'VALIDATION_FAILED'])
    const expected = json.details.validationErrors.map((row: { field: string; message: string }) => [
      fields[row.field],
      row.message,
    ])
    expect(rich?.violations).toEqual(expected)
  })

  it('refuses an unspecified status, and names every wrong field', async () => {
    const { code, rich } = await list({ statuses: [FAILED, WebhookEventStatus.UNSPECIFIED], pageSize: -1 })
    expect(code).toBe('INVALID_ARGUMENT')
    expect(rich?.violations).toEqual([
      ['statuses', 'must be one of RECEIVED, PROCESSING, PROCESSED, FAILED, RETRY'],
      ['page_size', 'must be at least 1'],
    ])
  })
})

describe('RetryWebhookEvent', () => {
  it('retries a dead event, and records this in the history, the log and the metrics', async () => {
    const eventId = await deadEvent()
    const { code, messages } = await retry({ source: 'payment', eventId, reason: 'the order was corrected' })
    expect(code).toBe('OK')
    expect(messages[0]?.event).toMatchObject({ eventId, status: FAILED, attempts: 0, dead: false })
    await untilDead(eventId)

    const token = bearerField(await tokenOf('admin'))
    const [detail] = (await callUnary(getWebhookEvent, { source: 'payment', eventId }, token)).messages
    const { history } = (await eventDetail('payment', eventId)).json
    expect(detail?.history.map(({ by }) => by)).toEqual(history.map(({ by }: { by: string }) => by))
    expect(detail?.history[7]).toMatchObject({ status: FAILED, by: 'operator admin: the order was corrected' })
    expect(detail?.history[8]).toMatchObject({ status: RETRY, by: 'retry' })

    const { json } = await call(`/api/audit?target=${eventId}`, bearer(await tokenOf('admin')))
    expect(json.entries).toMatchObject([
      {
        ...{ action: 'event.retried', outcome: 'done', actor: { name: 'admin', authType: 'JWT' }, from: '127.0.0.1' },
        ...{ target: { type: 'event', id: `payment/${eventId}` }, change: { reason: 'the order was corrected' } },
        requestId: expect.stringMatching(/./),
      },
    ])
    expect(await linesWith(['"replayed"', eventId])).toHaveLength(1)
    expect(await linesWith(['"Replayed":1'])).not.toEqual([])
  })

  it.each([
    ['NOT_FOUND', 'nobody sent', () => 'nothing', 'EVENT_NOT_FOUND'],
    ['FAILED_PRECONDITION', 'is not FAILED', () => q, 'EVENT_NOT_FAILED'],
  ])('is %s for an event that %s, with the text of the HTTP endpoint', async (expected, _, eventId, reason) => {
    const { code, text, rich } = await retry({ source: 'payment', eventId: eventId() })
    const admin = bearer(await tokenOf('admin'))
    const { json } = await call(`/api/webhooks/events/payment/${eventId()}/retry`, postJson({}, admin.headers))
    expect([code, text, rich?.reason]).toEqual([expected, json.message, reason])
    const { json: trail } = await call(`/api/audit?target=${eventId()}&action=event.retried&limit=2`, admin)
    const row = { outcome: 'refused', error: reason, target: { type: 'event', id: `payment/${eventId()}` } }
    expect(trail.entries).toMatchObject([row, row])
  })

  it('refuses a reason of 257 characters', async () => {
    const { code, rich } = await retry({ source: 'payment', eventId: dead, reason: 'x'.repeat(257) })
    expect(code).toBe('INVALID_ARGUMENT')
    expect(rich?.violations).toEqual([['reason', 'must be 1 to 256 characters without control characters']])
  })
})

describe('G09 for a caller who is not an admin', () => {
  it.each([
    ['ListWebhookEvents', (fields: Fields) => callUnary(listWebhookEvents, {}, fields)],
    [
      'RetryWebhookEvent',
      (fields: Fields) => callUnary(retryWebhookEvent, { source: 'payment', eventId: dead }, fields),
    ],
  ])('%s is refused, and changes nothing', async (name, run) => {
    expect((await run({})).code).toBe('UNAUTHENTICATED')
    const { code, rich } = await run(bearerField(await tokenOf('user')))
    expect(code).toBe('PERMISSION_DENIED')
    expect(rich?.facts).toMatchObject({ requiredRole: 'ROLE_ADMIN', action: name })
    expect((await eventDetail('payment', dead)).json).toMatchObject({ dead: true, attempts: 3 })
  })

  it('A01 a refused retry leaves a row with the caller', async () => {
    const from = new Date().toISOString()
    await callUnary(retryWebhookEvent, { source: 'payment', eventId: dead }, bearerField(await tokenOf('user')))
    const admin = bearer(await tokenOf('admin'))
    const rows = async () => (await call(`/api/audit?actor=user&action=event.retried&from=${from}`, admin)).json.entries
    const row = { outcome: 'refused', error: 'ROLE_REQUIRED', actor: { name: 'user' }, from: '127.0.0.1' }
    await expect.poll(rows).toMatchObject([row])
  })
})

describe('WatchWebhookEvents', () => {
  it('sends a new webhook, and the missed ones after a pause', async () => {
    const fields = bearerField(await tokenOf('admin'))
    const [before, missed] = [payment(), payment()]
    const watch = openStream(watchWebhookEvents, { source: 'payment', statuses: [PROCESSED] }, fields)
    await vi.waitUntil(() => watch.messages.length > 0, 20_000)
    await postPayment(before)
    const told = await vi.waitUntil(() => watch.messages.find((each) => isOf(before, each)), 20_000)
    watch.cancel()
    await postPayment(missed)
    const again = openStream(watchWebhookEvents, { source: 'payment', resumeAfter: told.cursor }, fields)
    await vi.waitUntil(() => again.messages.some((each) => isOf(missed, each)), 20_000)
    expect(again.messages.some((each) => isOf(before, each))).toBe(false)
    again.cancel()
  })

  it('is closed to a user', async () => {
    const watch = openStream(watchWebhookEvents, {}, bearerField(await tokenOf('user')))
    expect((await watch.ended).code).toBe('PERMISSION_DENIED')
  })

  it('G07 refuses an invalid cursor, and names its field', async () => {
    const watch = openStream(watchWebhookEvents, { resumeAfter: 'nonsense' }, bearerField(await tokenOf('admin')))
    const { code, rich } = await watch.ended
    expect(code).toBe('INVALID_ARGUMENT')
    expect(JSON.stringify(rich)).toContain('resume_after')
  })
})

function isOf(stored: { eventId?: unknown }, { change }: WatchWebhookEventsResponse): boolean {
  return change.case === 'event' && change.value.eventId === stored.eventId
}
