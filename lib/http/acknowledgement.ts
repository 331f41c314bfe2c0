import { toLocalDateTime } from '../platform/local-date-time.ts'
import type { Acceptance } from '../webhooks/inbox.ts'
import { ok, type Reply, TEXT_TYPE } from './message.ts'

const MESSAGES: Record<Acceptance, string> = {
  processed: 'Webhook processed successfully',
  received: 'Webhook received',
  duplicate: 'Duplicate event ignored',
}

/** The webhook response of spec 2.4. */
export function webhookResponse(acceptance: Acceptance, now: Date): Reply {
  return ok({ success: true, message: MESSAGES[acceptance], timestamp: toLocalDateTime(now) })
}

/** The plain-text acknowledgement of spec 4.2. */
export function webhookReceived(): Reply {
  return { statusCode: 200, headers: TEXT_TYPE, body: 'Webhook received' }
}
