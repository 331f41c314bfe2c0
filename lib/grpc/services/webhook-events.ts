import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { WebhookEventStatus as Message, WebhookEventService } from '../../../proto/gen/gatehouse/v1/webhook_event_pb.ts'
import { type EventReader, findEvent } from '../../webhooks/detail.ts'
import type { EventStatus, WebhookEvent } from '../../webhooks/event.ts'
import { serve } from '../serve.ts'

const STATUSES = {
  RECEIVED: Message.RECEIVED,
  PROCESSING: Message.PROCESSING,
  PROCESSED: Message.PROCESSED,
  FAILED: Message.FAILED,
  RETRY: Message.RETRY,
} as const satisfies Record<EventStatus, Message>

/** Webhook events for operators; what has no handler yet is UNIMPLEMENTED. */
export function webhookEventService(events: EventReader) {
  return serve(WebhookEventService, {
    async getWebhookEvent({ source, eventId, includePayload }) {
      const event = await findEvent(events, { source, eventId })
      return {
        event: recordOf(event),
        headers: event.headers,
        history: event.history.map(({ at, status, by, error }) => ({
          at: timestampFromDate(at),
          status: STATUSES[status],
          by,
          ...(error !== undefined && { error }),
        })),
        ...(includePayload && { payload: event.payload }),
      }
    },
  })
}

function recordOf(event: WebhookEvent) {
  const { id, source, eventId, eventType, status, receivedAt, processedAt, attempts, nextRetryAt, dead } = event
  const { errorMessage, outcome } = event
  return {
    id,
    source,
    eventId,
    eventType,
    status: STATUSES[status],
    receivedAt: timestampFromDate(receivedAt),
    attempts,
    dead,
    ...(processedAt && { processedAt: timestampFromDate(processedAt) }),
    ...(nextRetryAt && { nextRetryAt: timestampFromDate(nextRetryAt) }),
    ...(errorMessage !== undefined && { errorMessage }),
    ...(outcome !== undefined && { outcome }),
  }
}
