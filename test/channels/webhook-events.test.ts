import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import {
  type ListWebhookEventsRequestSchema,
  type WatchWebhookEventsResponse,
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
const { FAILED, PROCESSED, RETRY } = WebhookEventStatus

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
  it('shows the events of several statuses, newest first, page by page', async () => {
    const seen: string[] = []
    let pageToken = ''
    do {
      const { code, events, nextPageToken } = await list({
        query: q,
        statuses: [PROCESSED, FAILED],
        pageSize: 1,
        pageToken,
      })
      expect(code).toBe('OK')
      seen.push(...events.map(({ eventId }) => eventId))
      pageToken = nextPageToken
    } while (pageToken !== '')
    expect(seen).toEqual([dead, q])
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

  it('refuses times in the wrong order like GET /api/webhooks/events', async () => {
    const { json } = await listOverHttp(`from=${late}&to=${early}`)
    const { code, text, rich } = await list({ receivedFrom: timestamp(late), receivedTo: timestamp(early) })
    expect([code, text, rich?.reason]).toEqual(['INVALID_ARGUMENT', json.message, 'VALIDATION_FAILED'])
    const [{ field, message }] = json.details.validationErrors
    expect([field, rich?.violations]).toEqual(['to', [['received_to', message]]])
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

  it('is FAILED_PRECONDITION for an event that is not FAILED, with the text of the HTTP endpoint', async () => {
    const { code, text, rich } = await retry({ source: 'payment', eventId: q })
    const admin = bearer(await tokenOf('admin'))
    const { json } = await call(`/api/webhooks/events/payment/${q}/retry`, postJson({}, admin.headers))
    expect([code, text, rich?.reason]).toEqual(['FAILED_PRECONDITION', json.message, 'EVENT_NOT_FAILED'])
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
})

function isOf(stored: { eventId?: unknown }, { change }: WatchWebhookEventsResponse): boolean {
  return change.case === 'event' && change.value.eventId === stored.eventId
}
