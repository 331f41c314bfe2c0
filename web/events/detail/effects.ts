import type { EventDetail } from '../record.ts'

/** The payment and the order that an event is about. */
interface Effects {
  readonly payment: string | undefined
  readonly order: string | undefined
}

type Members = { readonly [name: string]: unknown }

/** What an event of a source with handlers names; nothing for all others, or where the payload is gone. */
export function effectsOf({
  source,
  eventType,
  payload,
}: Pick<EventDetail, 'source' | 'eventType' | 'payload'>): Effects {
  const body = membersOf(parsed(payload))
  const intent = membersOf(membersOf(body['data'])['object'])
  if (source === 'payment' || source === 'order-status') {
    return { payment: textOf(body['transactionId']), order: textOf(body['orderId']) }
  }
  if (source !== 'stripe' || !eventType.startsWith('payment_intent.')) return { payment: undefined, order: undefined }
  return { payment: textOf(intent['id']), order: textOf(membersOf(intent['metadata'])['orderId']) }
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {}
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function parsed(payload: string | null): unknown {
  try {
    return JSON.parse(payload ?? '')
  } catch {
    return undefined
  }
}
