import { WebhookEventService } from '../../../proto/gen/gatehouse/v1/webhook_event_pb.ts'
import { eventPage } from '../../contract/requests/event-page.ts'
import { retryOrder } from '../../contract/requests/retry-order.ts'
import { type EventReader, findEvent } from '../../webhooks/detail.ts'
import { type EventList, listEvents } from '../../webhooks/operate/list.ts'
import { type OperatorParts, retryNow } from '../../webhooks/operate/reset.ts'
import type { Watch } from '../../webhooks/watch/watch.ts'
import { callerOf } from '../call.ts'
import { given, read, renaming } from '../request.ts'
import { serve } from '../serve.ts'
import { watchWebhookEvents } from './watch.ts'
import { LIST_FIELDS, listQueryOf, moveOf, recordOf } from './webhook-event-message.ts'

export interface WebhookEventParts extends OperatorParts {
  readonly events: EventReader
  readonly list: EventList
  readonly watch: Watch
}

/** Webhook events for operators. */
export function webhookEventService(parts: WebhookEventParts) {
  return serve(WebhookEventService, {
    async getWebhookEvent({ source, eventId, includePayload }) {
      const event = await findEvent(parts.events, { source, eventId })
      return {
        event: recordOf(event),
        headers: event.headers,
        history: event.history.map(moveOf),
        ...(includePayload && { payload: event.payload }),
      }
    },

    async listWebhookEvents(request) {
      const { events, nextCursor } = await renaming(LIST_FIELDS, async () =>
        listEvents(parts.list, read(eventPage, listQueryOf(request))),
      )
      return { events: events.map(recordOf), nextPageToken: nextCursor ?? '' }
    },

    async retryWebhookEvent({ source, eventId, reason }, call) {
      const { username } = callerOf(call)
      const order = read(retryOrder, { reason: given(reason) })
      const event = await retryNow(parts, { source, eventId }, { user: username, reason: order.reason })
      return { event: recordOf(event) }
    },

    watchWebhookEvents: (request, call) => watchWebhookEvents(parts.watch, parts.clock, request, call),
  })
}
