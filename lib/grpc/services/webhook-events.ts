import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { WebhookEventService } from '../../../proto/gen/gatehouse/v1/webhook_event_pb.ts'
import { readable, withinScope } from '../../auth/keys/scope.ts'
import { eventPage } from '../../contract/requests/event-page.ts'
import { retryCommand } from '../../contract/requests/retry-command.ts'
import { recordAlone, recordChange, type Trail } from '../../trail/trail.ts'
import { auditRead } from '../../webhooks/audit.ts'
import { type EventReader, findEvent, itemsOf } from '../../webhooks/detail.ts'
import type { Watch } from '../../webhooks/live/watch.ts'
import { type EventList, listEvents } from '../../webhooks/operators/list.ts'
import { type OperatorParts, retryNow } from '../../webhooks/operators/reset.ts'
import { callerOf } from '../call.ts'
import { deedOn } from '../recorded.ts'
import { given, readMessage, renaming } from '../request.ts'
import { serve } from '../serve.ts'
import { watchWebhookEvents } from './watch.ts'
import { eventMessageOf, itemMessageOf, LIST_FIELDS, listQueryOf, moveMessageOf } from './webhook-event-message.ts'

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
