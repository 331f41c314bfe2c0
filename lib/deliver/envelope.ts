import { type AsciiJson, asciiJson } from '../runtime/message-text.ts'
import { fromUtf8 } from '../runtime/text.ts'
import { shownProof } from '../webhooks/detail.ts'
import type { Parcel } from './carrier.ts'
import type { DeliveredEvent } from './delivery.ts'

/**
 * The JSON that queues and buses receive for an event, with the body as text, or in base64 if it is not UTF-8. If that
 * is more than `limit` bytes, a claim check replaces the body: where to read it, and its length.
 */
export function deliveryEnvelope({ event, attempt, replayId, traceparent }: Parcel, limit: number): AsciiJson {
  const { id, source, eventId, eventType: type, receivedAt, payload, proof } = event
  const head = {
    id: `${id}`,
    source,
    eventId,
    type,
    receivedAt: receivedAt.toISOString(),
    attempt,
    replayId,
    traceparent,
    proof: shownProof(proof),
    possibleDuplicateOf: event.possibleDuplicateOf,
    typeConflict: event.typeConflict,
  }
  // JSON is never shorter than what it holds.
  const whole = payload.length <= limit ? asciiJson({ ...head, ...bodyIn(payload) }) : undefined
  if (whole !== undefined && whole.length <= limit) return whole
  return asciiJson({ ...head, gatehouse: { ref: `${source}/${eventId}`, bytes: payload.length } })
}

function bodyIn(payload: DeliveredEvent['payload']) {
  const text = fromUtf8(payload)
  return text === undefined ? { bodyBase64: payload.toString('base64') } : { body: text }
}
