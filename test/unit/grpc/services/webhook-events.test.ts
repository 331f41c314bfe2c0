import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { describe, expect, it } from 'vitest'
import type { Principal } from '../../../../lib/auth/principal.ts'
import type { CallContext } from '../../../../lib/grpc/call.ts'
import { webhookEventService } from '../../../../lib/grpc/services/webhook-events.ts'
import { type Correlation, correlated, correlation } from '../../../../lib/runtime/trace.ts'
import type { TrailRow } from '../../../../lib/trail/act.ts'
import { logAudit } from '../../../../lib/webhooks/audit.ts'
import type { EventKey, EventStatus, ProofLevel, WebhookEvent } from '../../../../lib/webhooks/event.ts'
import type { BatchItem } from '../../../../lib/webhooks/identity.ts'
import {
  GetWebhookEventRequestSchema,
  ListWebhookEventsRequestSchema,
  ListWebhookEventsResponseSchema,
  RetryWebhookEventRequestSchema,
  WebhookEventProofLevel,
  WebhookEventStatus,
} from '../../../../proto/gen/gatehouse/v1/webhook_event_pb.ts'
import { fixedClock, START } from '../../../support/fakes/clock.ts'
import { memoryEventList } from '../../../support/fakes/event-list.ts'
import { recordingLog } from '../../../support/fakes/log.ts'
import { MemoryStore, nameOf } from '../../../support/fakes/memory-store.ts'
import { memoryOperatorStore } from '../../../support/fakes/operator-store.ts'
import { tokenHolder } from '../../../support/fakes/principals.ts'
import { recordingTrail, rowTakenAlong } from '../../../support/fakes/trail.ts'
import { failedEvent, MINUTE } from '../../../support/fakes/webhooks.ts'

const CALL: CallContext = {
  principal: { ...tokenHolder('ROLE_ADMIN'), uid: 'id-1' },
  from: () => '192.0.2.1',
  signal: () => new AbortController().signal,
}
const KEY_OF_ANOTHER: Principal = {
  ...tokenHolder('ROLE_USER'),
  authType: 'API_KEY',
  key: { id: '0000000000kkk', sources: ['another'] },
}
/** What a row has of the call, which the guard gave an id, and of the event. */
const ROW = {
  actor: { uid: 'id-1', name: 'alice', authType: 'JWT' },
  target: { type: 'event', id: 'test/event-1', name: 'event-1' },
  from: '192.0.2.1',
  requestId: 'r-1',
}

const PROOF = {
  level: 'full',
  typeSigned: true,
  idSigned: true,
  key: 'stripe#1',
  signedAt: START,
  stale: true,
} as const
const PROOF_MESSAGE = {
  level: WebhookEventProofLevel.FULL,
  key: 'stripe#1',
  signedAt: timestampFromDate(START),
  stale: true,
}
const LOOKS = { possibleDuplicateOf: 'event-0', idConflict: { count: 3, lastAt: START } }
const LOOKS_MESSAGE = {
  possibleDuplicateOf: 'event-0',
  idConflict: { count: 3, lastAt: timestampFromDate(START) },
}

/** The service over a store that holds some events. */
async function serviceOf(...stored: readonly WebhookEvent[]) {
  const store = new MemoryStore()
  for (const event of stored) await store.eventStore.insert(event, {})
  const log = recordingLog()
  const { decided } = logAudit(log)
  const auditedUnder: Correlation[] = []
  const trail = recordingTrail()
  const operators = memoryOperatorStore(store)
  const takenAlong: (TrailRow | undefined)[] = []
  const { handlers } = webhookEventService({
    events: store.eventReader,
    list: memoryEventList(() => [...store.events.values()].map(({ event }) => event)),
    watch: async function* () {},
    operators: {
      async reset(...order) {
        const outcome = await operators.reset(...order)
        if (outcome.kind === 'reset') takenAlong.push(rowTakenAlong())
        return outcome
      },
    },
    queue: store.retryQueue,
    clock: fixedClock(),
    audit: {
      decided(...given) {
        auditedUnder.push(correlation())
        decided(...given)
      },
    },
    trail,
    log,
  })
  return { handlers, store, log, trail, takenAlong, auditedUnder }
}

type Asked = Partial<EventKey> & { readonly includePayload?: boolean }

async function get(stored: WebhookEvent, request: Asked = {}, items: readonly BatchItem[] = []) {
  const { handlers, store } = await serviceOf(stored)
  store.items.set(nameOf(stored), items)
  const { source, eventId } = stored
  return handlers.getWebhookEvent(create(GetWebhookEventRequestSchema, { source, eventId, ...request }), CALL)
}

describe('GetWebhookEvent', () => {
  it('shows the record with its headers and every move', async () => {
    const event = failedEvent({ id: 2n ** 62n + 1n, headers: { 'user-agent': 'x' } })
    expect(await get(event)).toEqual({
      event: {
        id: 4611686018427387905n,
        source: 'test',
        eventId: 'event-1',
        eventType: 'TEST',
        status: WebhookEventStatus.FAILED,
        receivedAt: timestampFromDate(START),
        nextRetryAt: timestampFromDate(new Date(START.getTime() + 5 * 60_000)),
        attempts: 0,
        dead: false,
        errorMessage: 'unexpected error',
        proof: { level: WebhookEventProofLevel.NONE, typeSigned: false, idSigned: false, stale: false },
        typeConflict: false,
        held: false,
      },
      items: [],
      headers: { 'user-agent': 'x' },
      history: [
        { at: timestampFromDate(START), status: WebhookEventStatus.FAILED, by: 'intake', error: 'unexpected error' },
      ],
    })
  })

  it.each<[ProofLevel, WebhookEventProofLevel]>([
    ['full', WebhookEventProofLevel.FULL],
    ['body', WebhookEventProofLevel.BODY],
    ['fields', WebhookEventProofLevel.FIELDS],
    ['checksum', WebhookEventProofLevel.CHECKSUM],
    ['token', WebhookEventProofLevel.TOKEN],
    ['none', WebhookEventProofLevel.NONE],
  ])('names the proof %s', async (level, expected) => {
    expect((await get(failedEvent({ proof: { level, typeSigned: true, idSigned: false } }))).event?.proof).toEqual({
      level: expected,
      typeSigned: true,
      idSigned: false,
      stale: false,
    })
  })

  it('shows by which secret and when an event was signed, that it was late, and what it may be a duplicate of', async () => {
    const { event } = await get(failedEvent({ proof: PROOF, ...LOOKS }))
    expect(event).toMatchObject({ proof: PROOF_MESSAGE, ...LOOKS_MESSAGE })
  })

  it('lists the events in a batch, as their sender named them', async () => {
    const items = [{ eventId: 'sg-1', eventType: 'open' }, { eventType: 'click' }]
    const answer = await get(failedEvent({ itemCount: 2 }), {}, items)
    expect([answer.event?.itemCount, answer.items]).toEqual([2, items])
  })

  it('lists the first thousand of them', async () => {
    const items = Array.from({ length: 1001 }, (_, index) => ({ eventId: `sg-${index}`, eventType: 'open' }))
    const answer = await get(failedEvent({ itemCount: 1001 }), {}, items)
    expect([answer.event?.itemCount, answer.items?.length, answer.items?.at(-1)]).toEqual([1001, 1000, items[999]])
  })

  it('shows the outcome of a processed event', async () => {
    const { event } = await get(failedEvent({ status: 'PROCESSED', processedAt: START, outcome: 'superseded' }))
    expect(event).toMatchObject({ processedAt: timestampFromDate(START), outcome: 'superseded' })
  })

  it('shows the payload byte for byte on request', async () => {
    const payload = Buffer.from([0, 255, 10])
    expect((await get(failedEvent({ payload }), { includePayload: true })).payload).toEqual(payload)
    expect(await get(failedEvent({ payload }))).not.toHaveProperty('payload')
  })

  it('A01 records who reads a payload before the answer, and does not record other reads', async () => {
    const stored = failedEvent({ payload: Buffer.from('body') })
    const { handlers, trail } = await serviceOf(stored)
    const { source, eventId } = stored
    const ask = (includePayload: boolean) =>
      handlers.getWebhookEvent(create(GetWebhookEventRequestSchema, { source, eventId, includePayload }), CALL)
    await ask(false)
    expect(trail.acts).toEqual([])
    await correlated({ requestId: 'r-1' }, () => ask(true))
    expect(trail.rows).toMatchObject([{ ...ROW, action: 'payload.read', outcome: 'done' }])
    trail.isDown = true
    await expect(ask(true)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  it.each<[string, Asked, CallContext, string]>([
    ['of an unknown event', { eventId: 'other' }, CALL, 'EVENT_NOT_FOUND'],
    ['that its key may not see', {}, { ...CALL, principal: KEY_OF_ANOTHER }, 'KEY_OUT_OF_SCOPE'],
  ])('A01 a refused reading leaves a row, and any other refused look none: %s', async (_, asked, call, code) => {
    const stored = failedEvent()
    const { handlers, trail } = await serviceOf(stored)
    const { source, eventId } = { ...stored, ...asked }
    for (const includePayload of [false, true]) {
      const request = create(GetWebhookEventRequestSchema, { source, eventId, includePayload })
      await expect(handlers.getWebhookEvent(request, call)).rejects.toMatchObject({ code })
    }
    expect(trail.rows).toMatchObject([
      { action: 'payload.read', outcome: 'refused', error: code, target: { id: `${source}/${eventId}` } },
    ])
  })

  it('shows the user and the reason of an operator’s move', async () => {
    const history = [{ at: START, status: 'FAILED', by: 'operator', user: 'admin', reason: 'again' }] as const
    expect((await get(failedEvent({ history }))).history).toMatchObject([{ by: 'operator admin: again' }])
  })

  it.each<[EventStatus, WebhookEventStatus]>([
    ['RECEIVED', WebhookEventStatus.RECEIVED],
    ['PROCESSING', WebhookEventStatus.PROCESSING],
    ['PROCESSED', WebhookEventStatus.PROCESSED],
    ['FAILED', WebhookEventStatus.FAILED],
    ['RETRY', WebhookEventStatus.RETRY],
  ])('names the status %s', async (status, expected) => {
    expect((await get(failedEvent({ status }))).event).toMatchObject({ status: expected })
  })

  it.each([{ eventId: 'other' }, { source: 'other' }, { source: '', eventId: '' }, { eventId: 'x'.repeat(257) }])(
    'of an unknown event is refused: %o',
    async (key) => {
      await expect(get(failedEvent(), key)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' })
    },
  )
})

type ListRequest = MessageInitShape<typeof ListWebhookEventsRequestSchema>

const { FAILED, PROCESSED, RECEIVED, RETRY, UNSPECIFIED } = WebhookEventStatus
/** The ends of google.protobuf.Timestamp. */
const FIRST = { seconds: -62_135_596_800n }
const LAST = { seconds: 253_402_300_799n, nanos: 999_999_999 }
const JUST_BEFORE_3 = { ...timestampFromDate(new Date(START.getTime() + 3 * MINUTE - 1)), nanos: 999_999_999 }
const at = (minutes: number) => new Date(START.getTime() + minutes * MINUTE)

async function listOf({ handlers }: Awaited<ReturnType<typeof serviceOf>>, request: ListRequest = {}) {
  const answer = await handlers.listWebhookEvents(create(ListWebhookEventsRequestSchema, request), CALL)
  return create(ListWebhookEventsResponseSchema, answer)
}

describe('ListWebhookEvents', () => {
  const failed = failedEvent({ id: 1n, eventId: 'failed', receivedAt: at(1) })
  const dead = failedEvent({ id: 2n, eventId: 'dead', receivedAt: at(2), dead: true, errorMessage: 'another order' })
  const retry = failedEvent({ id: 3n, eventId: 'retry', receivedAt: at(3), status: 'RETRY', eventType: 'OTHER' })
  const processed = failedEvent({ id: 4n, eventId: 'processed', receivedAt: at(4), status: 'PROCESSED', source: 'a' })

  async function list(request: ListRequest) {
    return listOf(await serviceOf(failed, dead, retry, processed), request)
  }

  it.each<[string, ListRequest, readonly WebhookEvent[]]>([
    ['several statuses', { statuses: [RETRY, PROCESSED, RECEIVED] }, [processed, retry]],
    ['a status twice', { statuses: [RETRY, RETRY] }, [retry]],
    ['a source', { source: 'a' }, [processed]],
    ['a type', { eventType: 'OTHER' }, [retry]],
    ['a start time', { receivedFrom: timestampFromDate(at(3)) }, [processed, retry]],
    ['an end time', { receivedTo: timestampFromDate(at(2)) }, [dead, failed]],
    ['a time, cut to milliseconds', { receivedTo: JUST_BEFORE_3 }, [dead, failed]],
    ['the first and the last time', { receivedFrom: FIRST, receivedTo: LAST }, [processed, retry, dead, failed]],
    ['a part of an error message', { query: 'another' }, [dead]],
    ['dead ones', { dead: true }, [dead]],
    ['living ones', { dead: false }, [processed, retry, failed]],
    ['everything together', { statuses: [FAILED, RETRY], dead: false, query: 'e', pageSize: 200 }, [retry, failed]],
  ])('filtered by %s', async (_, request, expected) => {
    const { events, nextPageToken } = await list(request)
    expect(events.map(({ eventId }) => eventId)).toEqual(expected.map(({ eventId }) => eventId))
    expect(nextPageToken).toBe('')
  })

  it('shows records, newest first, a page at a time', async () => {
    const first = await list({ pageSize: 3 })
    expect(first.events.map(({ id }) => id)).toEqual([4n, 3n, 2n])
    expect(first.events[2]).toMatchObject({ status: FAILED, dead: true, receivedAt: timestampFromDate(at(2)) })
    expect(await list({ pageToken: first.nextPageToken })).toMatchObject({ events: [{ id: 1n }], nextPageToken: '' })
  })

  it('has pages of 50 by default', async () => {
    const many = Array.from({ length: 51 }, (_, index) => failedEvent({ id: BigInt(index), eventId: `event-${index}` }))
    expect((await listOf(await serviceOf(...many))).events).toHaveLength(50)
  })

  const STATUS = 'must be one of RECEIVED, PROCESSING, PROCESSED, FAILED, RETRY'
  const TEXT = 'must be 1 to 256 characters without control characters'
  const TIME = 'must be a time of the years 1 to 9999'

  it.each<[string, ListRequest, string, string]>([
    ['an unspecified status', { statuses: [FAILED, UNSPECIFIED] }, 'statuses', STATUS],
    ['a long type', { eventType: 'a'.repeat(257) }, 'event_type', TEXT],
    ['a long query', { query: 'a'.repeat(257) }, 'query', TEXT],
    ['a time in the year 0', { receivedFrom: { seconds: -62_135_596_801n } }, 'received_from', TIME],
    ['a time after the year 9999', { receivedTo: { seconds: 253_402_300_800n } }, 'received_to', TIME],
    ['a time beyond all possible dates', { receivedTo: { seconds: 2n ** 62n } }, 'received_to', TIME],
    ['a page size of 201', { pageSize: 201 }, 'page_size', 'must be at most 200'],
    ['an invalid page token', { pageToken: 'a' }, 'page_token', 'must come from a page with the same filter'],
  ])('refuses %s', async (_, request, field, message) => {
    const validationErrors = [expect.objectContaining({ field, message })]
    await expect(list(request)).rejects.toMatchObject({ code: 'VALIDATION_FAILED', details: { validationErrors } })
  })

  it('G07 refuses the page token of another filter', async () => {
    const { nextPageToken: pageToken } = await list({ statuses: [FAILED], pageSize: 1 })
    expect(pageToken).not.toBe('')
    await expect(list({ statuses: [FAILED, RETRY], pageToken })).rejects.toMatchObject({
      details: { validationErrors: [{ field: 'page_token' }] },
    })
  })
})

describe('RetryWebhookEvent', () => {
  type RetryRequest = MessageInitShape<typeof RetryWebhookEventRequestSchema>

  async function retry(stored: WebhookEvent, request: RetryRequest = {}) {
    const { handlers, ...rest } = await serviceOf(stored)
    const { source, eventId } = stored
    const message = create(RetryWebhookEventRequestSchema, { source, eventId, ...request })
    return { ...rest, answer: correlated({ requestId: 'r-1' }, () => handlers.retryWebhookEvent(message, CALL)) }
  }

  it('returns the record, due now, and sends a hint; the account that orders it is told of the end', async () => {
    const stored = failedEvent({ dead: true, attempts: 3, nextRetryAt: undefined })
    const { store, log, answer } = await retry(stored, { reason: 'the order was corrected' })
    expect(await answer).toMatchObject({
      event: { eventId: 'event-1', status: FAILED, attempts: 0, dead: false, nextRetryAt: timestampFromDate(START) },
    })
    expect(store.queue).toMatchObject([{ hint: { source: 'test', eventId: 'event-1' }, delayMs: 0 }])
    expect(store.find(stored)?.orderedBy).toBe('id-1')
    expect(store.find(stored)?.history.at(-1)).toMatchObject({
      by: 'operator',
      user: 'alice',
      reason: 'the order was corrected',
    })
    expect(log.of('audit')).toMatchObject([{ decision: 'replayed', eventId: 'event-1' }])
  })

  it('leaves its audit line under the id of the call', async () => {
    const { auditedUnder, answer } = await retry(failedEvent())
    await answer
    expect(auditedUnder).toMatchObject([{ requestId: 'r-1' }])
  })

  it.each([
    ['with its reason', { reason: 'the order was corrected' }, { reason: 'the order was corrected' }],
    ['without a reason', {}, undefined],
  ])('A01 its change takes the row along, %s', async (_, request, change) => {
    const { trail, takenAlong, answer } = await retry(failedEvent(), request)
    await answer
    expect(takenAlong).toMatchObject([{ ...ROW, action: 'event.retried', outcome: 'done' }])
    expect([takenAlong[0]?.change, trail.rows]).toEqual([change, []])
  })

  it.each<[string, Partial<WebhookEvent>, RetryRequest, object, string]>([
    ['of an unknown event', {}, { eventId: 'other' }, { id: 'test/other', name: 'other' }, 'EVENT_NOT_FOUND'],
    ['of a processed event', { status: 'PROCESSED' }, {}, ROW.target, 'EVENT_NOT_FAILED'],
  ])('A01 a refused one leaves a row that says so: %s', async (_, stored, request, target, code) => {
    const { trail, takenAlong, answer } = await retry(failedEvent(stored), request)
    await expect(answer).rejects.toMatchObject({ code })
    expect(trail.rows).toMatchObject([{ ...ROW, target, action: 'event.retried', outcome: 'refused', error: code }])
    expect(takenAlong).toEqual([])
  })

  it.each([
    ['257 characters', 'x'.repeat(257)],
    ['a line break', 'a\nb'],
  ])('refuses a reason with %s, leaves the event as it was, and no row', async (_, reason) => {
    const { store, trail, answer } = await retry(failedEvent({ dead: true }), { reason })
    await expect(answer).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { validationErrors: [{ field: 'reason' }] },
    })
    expect(store.find({ source: 'test', eventId: 'event-1' })?.dead).toBe(true)
    expect(trail.acts).toEqual([])
  })
})
