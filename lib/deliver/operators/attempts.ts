import { Buffer } from 'node:buffer'
import { type ShownBytes, shownBytes } from '../../runtime/text.ts'
import { toLocalDateTime } from '../../runtime/time.ts'
import { traceparentOf } from '../../runtime/trace.ts'
import { HIDDEN } from '../answer.ts'
import { deliveryEnvelope, ENVELOPE_BYTES, type Parcel } from '../carrier.ts'
import type { DeliveredEvent, Delivery, DeliveryMove } from '../delivery.ts'
import type { Target } from '../destination.ts'
import { shownHeaders } from '../http-headers.ts'

/** How much of the body of a request is shown, in bytes, and of how many attempts: Lambda answers with 6 MB at most. */
const BODY = { most: 4096, attempts: 3 }

/** What the requests of a delivery are made again from; nothing of an event, or of a destination, that is gone. */
export interface RequestFacts {
  readonly event: DeliveredEvent | undefined
  readonly target: Target | undefined
}

/** The moves of a delivery as operators see them. @param facts undefined for a list: without requests and contents */
export function shownMoves({ history }: Delivery, facts?: RequestFacts) {
  const attempts = history.filter(({ ms }) => ms !== undefined)
  return history.map((move) => ({
    at: toLocalDateTime(move.at),
    status: move.status,
    attempt: move.attempt ?? null,
    replayId: move.replayId ?? null,
    user: move.user ?? null,
    reason: move.reason ?? null,
    ms: move.ms ?? null,
    error: move.status === 'DELIVERED' ? null : (move.answer ?? null),
    request: facts ? requestOf(move, facts, attempts.indexOf(move) >= attempts.length - BODY.attempts) : null,
    answer: answerOf(move, facts !== undefined),
  }))
}

function answerOf({ received }: DeliveryMove, isWhole: boolean) {
  if (received === undefined) return null
  const { status, headers = {}, body } = received
  return { status, headers: isWhole ? headers : {}, ...shownBody(isWhole ? body : undefined) }
}

const METHODS = { http: 'POST', sqs: 'SendMessage', eventbridge: 'PutEvents', handler: null } as const

/** The request of an attempt; null if nothing was sent. */
function requestOf({ at, ms, attempt, replayId, url = '' }: DeliveryMove, facts: RequestFacts, hasBody: boolean) {
  if (ms === undefined || attempt === undefined) return null
  const { event, target } = facts
  if (!event || !target) return { method: null, url, headers: {}, ...shownBody(undefined) }
  const traceparent = traceparentOf(event, HIDDEN)
  const parcel = { event, attempt, replayId, traceparent, at: new Date(at.getTime() - ms) }
  const body = hasBody ? shownBytes(bodyTo(target, parcel), BODY.most) : undefined
  return { method: METHODS[target.to], url, headers: headersTo(target, parcel), ...shownBody(body) }
}

function headersTo(target: Target, parcel: Parcel): Readonly<Record<string, string>> {
  if (target.to === 'http') return shownHeaders(parcel, target)
  return target.to === 'handler' ? parcel.event.headers : {}
}

function bodyTo({ to }: Target, parcel: Parcel): Buffer {
  if (to === 'http' || to === 'handler') return parcel.event.payload
  return Buffer.from(deliveryEnvelope(parcel, ENVELOPE_BYTES[to]))
}

function shownBody(body: ShownBytes | undefined) {
  if (body === undefined) return { body: null, encoding: 'utf8', truncated: true } as const
  return { body: body.text, encoding: body.encoding, truncated: !body.isWhole }
}
