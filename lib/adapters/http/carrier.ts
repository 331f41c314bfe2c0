import { type Carrier, type DeliveryAnswer, failureOf, type Parcel } from '../../deliver/carrier.ts'
import type { Destination, HttpTarget } from '../../deliver/destination.ts'
import { type DeliverySecrets, httpHeaders } from '../../deliver/http-headers.ts'
import { readRetryAfter } from '../../deliver/policy.ts'
import type { Clock } from '../../runtime/time.ts'
import { ClosedAddress } from './guard.ts'
import { guardedPost, type PostAnswer, type Surroundings } from './post.ts'

/** An HTTPS endpoint, as it is on one stage. */
export interface HttpRoute extends Pick<Destination, 'name' | 'timeout'> {
  readonly target: HttpTarget
  /** Only the local stage may deliver to its own machine, and without TLS. */
  readonly isLocal: boolean
}

export interface HttpCarrierParts {
  readonly route: HttpRoute
  /** Those that are configured now. @throws ServiceError `UNAVAILABLE` */
  readonly secrets: () => Promise<DeliverySecrets>
  readonly clock: Clock
}

/** Delivers the bytes of events as they were received, signed. */
export function httpCarrier({ route, secrets, clock }: HttpCarrierParts, surroundings?: Surroundings): Carrier {
  const { target, timeout, isLocal } = route
  const post = guardedPost(new URL(target.url), { isPrivate: target.isPrivate, isLocal }, surroundings)

  async function send(parcel: Parcel, headers: Readonly<Record<string, string>>): Promise<DeliveryAnswer> {
    try {
      return answerOf(await post({ headers, body: parcel.event.payload, timeout }), clock.now())
    } catch (error) {
      return error instanceof ClosedAddress ? { kind: 'failed', answer: error.message } : failureOf(error)
    }
  }

  return {
    async carry(parcel) {
      const made = httpHeaders(parcel, route, await secrets())
      return made.kind === 'ready' ? send(parcel, made.headers) : { kind: 'failed', answer: made.answer }
    },
  }
}

const GONE = 410
const BUSY = [429, 503]

function answerOf({ status, retryAfter: given }: PostAnswer, now: Date): DeliveryAnswer {
  const answer = `HTTP ${status}`
  if (status >= 200 && status < 300) return { kind: 'delivered', answer }
  const retryAfter = readRetryAfter(given, now)
  return {
    kind: 'failed',
    answer,
    ...(status === GONE && { isGone: true }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(BUSY.includes(status) && { isBusy: true }),
  }
}
