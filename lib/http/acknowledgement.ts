import { ServiceError } from '../errors.ts'
import { toLocalDateTime } from '../runtime/time.ts'
import type { Acceptance } from '../webhooks/inbox.ts'
import type { Provider } from '../webhooks/provider.ts'
import { ok, type Reply, TEXT_TYPE } from './message.ts'
import { webhookFormat } from './routing.ts'

const MESSAGES: Record<Acceptance, string> = {
  processed: 'Webhook processed successfully',
  received: 'Webhook received',
  duplicate: 'Duplicate event ignored',
}

/** The answer in JSON (webhooks-37). */
export function webhookResponse(acceptance: Acceptance, now: Date): Reply {
  return ok({ success: true, message: MESSAGES[acceptance], timestamp: toLocalDateTime(now) })
}

/** The answer in plain text, unless the provider requires another one (webhooks-38). */
export function webhookReceived(wanted: Provider['acknowledgement'] = 'Webhook received'): Reply {
  return typeof wanted === 'string' ? plainText(wanted) : ok(wanted)
}

/** Answers as the endpoint of that name would. */
export async function acknowledge(
  name: string,
  wanted: Provider['acknowledgement'],
  acceptance: Promise<Acceptance>,
  now: () => Date,
): Promise<Reply> {
  return webhookFormat(name) === 'webhook'
    ? webhookResponse(await acceptance, now())
    : acknowledgeStored(acceptance, wanted)
}

/**
 * Acknowledges an event once it is stored: if its handler fails, the provider could not repair that.
 * @throws the error because of which it is not stored
 */
export async function acknowledgeStored(
  acceptance: Promise<Acceptance>,
  wanted?: Provider['acknowledgement'],
): Promise<Reply> {
  try {
    await acceptance
  } catch (error) {
    if (!(error instanceof ServiceError && error.is('PROCESSING_FAILED'))) throw error
  }
  return webhookReceived(wanted)
}

export function plainText(body: string): Reply {
  return { statusCode: 200, headers: TEXT_TYPE, body }
}
