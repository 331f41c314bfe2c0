import { keptAnswer, type ReceivedAnswer } from '../../deliver/answer.ts'
import { type Carrier, type DeliveryAnswer, failureOf, type Parcel } from '../../deliver/carrier.ts'
import type { Destination, HttpTarget } from '../../deliver/destination.ts'
import { type DeliverySecrets, httpHeaders } from '../../deliver/http-headers.ts'
import { readRetryAfter } from '../../deliver/policy.ts'
import { memoizeAsync } from '../../runtime/cache.ts'
import type { Clock } from '../../runtime/time.ts'
import type { Credentials } from './auth.ts'
import { guardedPost, type Surroundings } from './post.ts'

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
  const reach = { isPrivate: target.isPrivate, isLocal }
  const post = guardedPost(new URL(target.url), reach, surroundings)
  const authentication = memoizeAsync(async () => {
    if (target.auth === undefined) return undefined
    const { authenticationOf } = await import('./auth.ts')
    return authenticationOf(target.auth, reach, clock, surroundings)
  })

  async function send(parcel: Parcel, given: DeliverySecrets, signal: AbortSignal) {
    const made = httpHeaders(parcel, route, given)
    const authenticate = await authentication()
    const postAs = (shown?: Credentials) =>
      post({
        headers: { ...made.headers, ...shown?.headers },
        body: parcel.event.payload,
        signal,
        identity: shown?.identity,
      })
    const shown = await authenticate?.(given, signal)
    const first = await postAs(shown)
    const other = first.status === UNAUTHORIZED && shown ? await authenticate?.(given, signal, shown) : undefined
    const answer = other ? await postAs(other) : first
    const known = [...made.secrets, ...(shown?.secrets ?? []), ...(other?.secrets ?? [])]
    return { ...answerOf(answer, clock.now()), received: keptAnswer(answer, known) }
  }

  return {
    async carry(parcel) {
      const given = await secrets()
      const alarm = new AbortController()
      const timer = setTimeout(() => alarm.abort(), timeout)
      try {
        return await send(parcel, given, alarm.signal)
      } catch (error) {
        return failureOf(error)
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

const UNAUTHORIZED = 401
const GONE = 410
const BUSY = [429, 503]

function answerOf({ status, headers = {} }: ReceivedAnswer, now: Date): DeliveryAnswer {
  const answer = `HTTP ${status}`
  if (status >= 200 && status < 300) return { kind: 'delivered', answer }
  const retryAfter = readRetryAfter(headers['retry-after']?.toString(), now)
  return {
    kind: 'failed',
    answer,
    ...(status === GONE && { isGone: true }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(BUSY.includes(status) && { isBusy: true }),
  }
}
