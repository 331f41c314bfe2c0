import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import {
  type WatchWebhookEventsRequest,
  type WatchWebhookEventsResponseSchema,
  WebhookEventService,
} from '../../../proto/gen/gatehouse/v1/webhook_event_pb.ts'
import { type EventViewer, mayRead, readable, withinScope } from '../../auth/keys/api-key.ts'
import { retryCommand } from '../../contract/requests/command.ts'
import { eventPage, eventWatch } from '../../contract/requests/event-messages.ts'
import { invalid } from '../../errors.ts'
import type { Clock } from '../../runtime/time.ts'
import { recordAlone, recordChange, type Trail } from '../../trail/trail.ts'
import { auditRead } from '../../webhooks/audit.ts'
import { type EventReader, findEvent, itemsOf } from '../../webhooks/detail.ts'
import { type EventChange, WatchCursor } from '../../webhooks/live/cursor.ts'
import { filtered, matchesFilter } from '../../webhooks/live/filter.ts'
import type { Watch } from '../../webhooks/live/watch.ts'
import { type EventList, listEvents } from '../../webhooks/operators/list.ts'
import { type OperatorParts, retryNow } from '../../webhooks/operators/reset.ts'
import { type CallContext, callerOf, deedOn, given, readMessage, renaming } from '../call.ts'
import { serve } from '../serve.ts'
import {
  changeOf,
  eventMessageOf,
  itemMessageOf,
  LIST_FIELDS,
  listQueryOf,
  moveMessageOf,
  statusNames,
  WATCH_FIELDS,
} from './webhook-event-message.ts'

export interface WebhookEventParts extends OperatorParts {
  readonly events: EventReader
  readonly list: EventList
  readonly watch: Watch
  readonly trail: Trail
}

/** Webhook events for operators. */
export function webhookEventService(parts: WebhookEventParts) {
  const { trail } = parts
  return serve(WebhookEventService, {
    async getWebhookEvent({ source, eventId, includePayload }, call) {
      const caller = callerOf(call)
      const key = { source, eventId }
      const find = async () => findEvent(parts.events, readable(caller, key))
      async function read() {
        const found = await find()
        auditRead(parts.audit, found, caller.username)
        return found
      }
      const event = await (includePayload ? recordAlone(trail, deedOn(key, 'payload.read', call), read) : find())
      return {
        event: eventMessageOf(event),
        headers: event.headers,
        history: event.history.map(moveMessageOf),
        items: (await itemsOf(parts.events, event)).map(itemMessageOf),
        ...(includePayload && event.payload && { payload: event.payload }),
        ...(event.payloadDeletedAt && { payloadDeletedAt: timestampFromDate(event.payloadDeletedAt) }),
      }
    },

    async listWebhookEvents(request, call) {
      const { events, nextCursor } = await renaming(LIST_FIELDS, async () =>
        listEvents(parts.list, withinScope(callerOf(call), readMessage(eventPage, listQueryOf(request)))),
      )
      return { events: events.map(eventMessageOf), nextPageToken: nextCursor ?? '' }
    },

    async retryWebhookEvent({ source, eventId, reason }, call) {
      const { username: user, uid: orderedBy } = callerOf(call)
      const command = { ...readMessage(retryCommand, { reason: given(reason) }), user, orderedBy }
      const target = { source, eventId }
      const change = command.reason === undefined ? undefined : { reason: command.reason }
      const deed = { ...deedOn(target, 'event.retried', call), change }
      const event = await recordChange(trail, deed, () => retryNow(parts, target, command))
      return { event: eventMessageOf(event) }
    },

    watchWebhookEvents: (request, call) => watchWebhookEvents(parts.watch, parts.clock, request, call),
  })
}

type Response = MessageInitShape<typeof WatchWebhookEventsResponseSchema>

/** Streams the changes that match the request and that the caller may read; while there are none, the cursor alone. */
export async function* watchWebhookEvents(
  watch: Watch,
  clock: Clock,
  request: WatchWebhookEventsRequest,
  call: CallContext,
): AsyncGenerator<Response> {
  const caller = callerOf(call)
  const filter = await renaming(WATCH_FIELDS, async () => filterOf(request, caller))
  const isScoped = caller.key?.sources !== undefined
  for await (const { change, cursor } of filtered({ watch, clock }, { ...filter, isScoped }, call.signal())) {
    yield { cursor, change: change ? { case: 'event', value: changeOf(change) } : { case: 'heartbeat', value: {} } }
  }
}

/** @throws ServiceError `VALIDATION_FAILED`, `KEY_OUT_OF_SCOPE` */
function filterOf({ statuses, source: from, resumeAfter }: WatchWebhookEventsRequest, caller: EventViewer) {
  const asked = { status: statusNames(statuses), source: given(from), cursor: given(resumeAfter) }
  const { status, source, cursor } = readMessage(eventWatch, asked)
  if (source !== undefined) readable(caller, { source })
  return {
    after: cursor === undefined ? undefined : progressAfter(cursor),
    matches: (change: EventChange) => mayRead(caller, change.source) && matchesFilter(change, { source, status }),
  }
}

function progressAfter(cursor: string): WatchCursor {
  const progress = WatchCursor.read(cursor)
  if (progress) return progress
  throw invalid([{ path: ['cursor'], message: 'must be the cursor of a message of this stream' }], { cursor })
}
