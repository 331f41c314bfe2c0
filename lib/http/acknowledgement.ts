import { toLocalDateTime } from '../platform/local-date-time.ts'
import type { Acceptance } from '../webhooks/inbox.ts'
import { ok, type Reply, TEXT_TYPE } from './message.ts'
import { webhookFormat } from './routing.ts'

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
  return plainText('Webhook received')
}

/** What providers want to read that do not take every 2xx for an acknowledgement; docs.adyen.com, "Accept webhooks". */
const TEXTS = new Map([['adyen', '[accepted]']])

/** As the endpoint of that name would answer. */
export function acknowledge(name: string, acceptance: Acceptance, now: Date): Reply {
  if (webhookFormat(name) === 'webhook') return webhookResponse(acceptance, now)
  const text = TEXTS.get(name)
  return text === undefined ? webhookReceived() : plainText(text)
}

export function plainText(body: string): Reply {
  return { statusCode: 200, headers: TEXT_TYPE, body }
}
