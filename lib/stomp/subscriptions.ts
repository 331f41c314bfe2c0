import { type EventViewer, mayRead, readable } from '../auth/keys/api-key.ts'
import type { Principal } from '../auth/principal.ts'
import { EVENT_STATUSES } from '../contract/requests/events.ts'
import { fail } from '../errors.ts'
import { type BusMessage, OWN_NOTICES, type Topic } from '../messages/message.ts'
import type { Cancel } from '../runtime/async.ts'
import type { EventChange } from '../webhooks/live/cursor.ts'
import { matchesFilter } from '../webhooks/live/filter.ts'
import type { Watch } from '../webhooks/live/watch.ts'
import { AckWindow, isAckMode } from './acks.ts'
import type { Broker } from './broker.ts'
import { beginningOf, progressIn, refuseToResume, sendChanges } from './changes.ts'
import { encode, type Frame, frame, headerOf, malformed, type Version, withFirst } from './codec/frame.ts'
import type { SessionNotices } from './connect.ts'
import { topicOf, WEBHOOKS } from './destinations.ts'
import type { Budget } from './limits.ts'

interface Parts {
  readonly owner: Principal
  readonly version: Version
  readonly broker: Broker
  readonly watch: Watch
  /** The cursor of a watcher that has received everything; a promise while that is being found out. */
  readonly position: () => string | Promise<string>
  readonly notices: Pick<SessionNotices, 'subscribe'>
  readonly budget: Budget
  readonly limits: { readonly subscriptions: number; readonly unacknowledged: number }
  send(bytes: Uint8Array): void
  /** Settles when the client has read most of the sent bytes. */
  drained(signal: AbortSignal): Promise<void>
  /** Called with the error when a message could not be sent to the client. */
  failed(error: unknown): void
}

/** Headers of a RECEIPT in addition to its id: the position at which a watcher begins. */
export type ReceiptHeaders = { readonly cursor?: string }

interface Begun {
  readonly cancel: Cancel
  readonly receipt?: ReceiptHeaders | Promise<ReceiptHeaders>
}

interface Subscription {
  readonly id: string
  readonly window: AckWindow
  readonly cancel: Cancel
}

/** The header that names the message of an ACK or NACK. */
const ANSWERED = { '1.1': 'message-id', '1.2': 'id' } as const

/** The subscriptions of one session. A message's id is `<number of the subscription>-<number of the message>`. */
export class Subscriptions {
  readonly #parts: Parts
  readonly #byNumber = new Map<number, Subscription>()
  #last = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * @returns further headers of the RECEIPT
   * @throws ProtocolError, ServiceError `ROLE_REQUIRED`, `DESTINATION_CLOSED`, `KEY_OUT_OF_SCOPE`, `TOO_MANY_REQUESTS`
   */
  add(request: Frame): ReceiptHeaders | Promise<ReceiptHeaders> {
    const { owner, limits } = this.#parts
    const topic = topicOf(headerOf(request, 'destination'), 'SUBSCRIBE', owner)
    const id = headerOf(request, 'id')
    if (this.#find(id)) throw malformed('SUBSCRIBE must have an id of its own')
    if (this.#byNumber.size >= limits.subscriptions) throw fail('TOO_MANY_REQUESTS', { retryAfterSeconds: 1 })
    this.#last += 1
    const window = this.#window(id, request, this.#last)
    const { cancel, receipt = {} } =
      topic.destination === WEBHOOKS ? this.#watch(request, window) : this.#listen(topic, request, window)
    this.#byNumber.set(this.#last, { id, window, cancel })
    return receipt
  }

  /** @throws ProtocolError for an unknown subscription */
  remove(request: Frame): void {
    const number = this.#find(headerOf(request, 'id'))
    if (number === undefined) throw malformed('UNSUBSCRIBE must name a subscription')
    this.#end(number)
  }

  /**
   * Finds the message of an ACK or NACK.
   * @returns the effect of the acknowledgment
   * @throws ProtocolError for a message that waits for none
   */
  answer(request: Frame): () => void {
    const { version } = this.#parts
    const [, subscription, message] = /^(\d{1,15})-(\d{1,15})$/.exec(headerOf(request, ANSWERED[version])) ?? []
    const found = this.#byNumber.get(Number(subscription))
    const isNamed = version !== '1.1' || headerOf(request, 'subscription') === found?.id
    const number = Number(message)
    if (!found?.window.isOutstanding(number) || !isNamed) {
      throw malformed(`${request.command} must name a message that waits for it`)
    }
    return () => found.window.acknowledge(number)
  }

  close(): void {
    for (const number of this.#byNumber.keys()) this.#end(number)
  }

  #find(id: string): number | undefined {
    for (const [number, subscription] of this.#byNumber) if (subscription.id === id) return number
    return undefined
  }

  #end(number: number): void {
    const subscription = this.#byNumber.get(number)
    this.#byNumber.delete(number)
    subscription?.cancel()
    subscription?.window.close()
  }

  #listen(topic: Topic, request: Frame, window: AckWindow): Begun {
    refuseToResume(request)
    const { broker, notices } = this.#parts
    const offer = (message: BusMessage) => this.#offer(window, message)
    const leave = broker.subscribe(topic, offer)
    const ready = broker.ready()?.then(() => ({}))
    const begun = ready ? { receipt: ready } : {}
    if (topic.destination !== OWN_NOTICES) return { ...begun, cancel: leave }
    const ignore = notices.subscribe(offer)
    return {
      ...begun,
      cancel() {
        leave()
        ignore()
      },
    }
  }

  #watch(request: Frame, window: AckWindow): Begun {
    const { owner, position, watch, drained, failed } = this.#parts
    const matches = matcherOf(request, owner)
    const after = progressIn(request)
    const cancel = sendChanges(watch, after, owner, {
      matches,
      deliver: (message) => window.offer(message),
      async ready(signal) {
        await window.room()
        await drained(signal)
      },
      failed,
    })
    const receiptAt = (at: string) => ({ cursor: beginningOf(after, at, owner) })
    const at = after ? '' : position()
    return { cancel, receipt: typeof at === 'string' ? receiptAt(at) : at.then(receiptAt) }
  }

  #window(id: string, request: Frame, number: number): AckWindow {
    const { budget, limits, send, version } = this.#parts
    const mode = request.headers.get('ack') ?? 'auto'
    if (!isAckMode(mode)) throw malformed('ack must be auto, client or client-individual')
    return new AckWindow({
      mode,
      size: limits.unacknowledged,
      budget,
      deliver: (message, sent) => {
        const messageId = `${number}-${sent}`
        const ack = version === '1.2' && mode !== 'auto' ? messageId : undefined
        send(messageBytes(message, { subscription: id, 'message-id': messageId, ack }, version))
      },
    })
  }

  #offer(window: AckWindow, message: BusMessage): void {
    try {
      window.offer(message)
    } catch (error) {
      this.#parts.failed(error)
    }
  }
}

/**
 * Which changes a SUBSCRIBE asks for, of those that its reader may know of: by the headers `source`, `type` and `status`. The
 * last one may be several statuses, separated by commas.
 * @throws ProtocolError for an unknown status, ServiceError `KEY_OUT_OF_SCOPE`
 */
function matcherOf({ headers }: Frame, reader: EventViewer): (change: EventChange) => boolean {
  const status = headers.get('status')?.split(',')
  if (status?.some((one) => !EVENT_STATUSES.some((known) => known === one))) {
    throw malformed(`status must be one or several of ${EVENT_STATUSES.join()}`)
  }
  const [source, type] = [headers.get('source'), headers.get('type')]
  if (source !== undefined) readable(reader, { source })
  return (change) => mayRead(reader, change.source) && matchesFilter(change, { source, type, status })
}

interface Encoded {
  readonly message: BusMessage
  readonly bytes: Uint8Array
}

/** Receivers get a message one after the other: their common part is encoded once, and the last encoding is cached. */
const last = new Map<Version, Encoded>()

/** The bytes of a MESSAGE with the headers that are one receiver's own. */
export function messageBytes(
  message: BusMessage,
  own: Readonly<Record<string, string | undefined>>,
  version: Version,
): Uint8Array {
  const known = last.get(version)
  const encoded = known?.message === message ? known : encodedOf(message, version)
  return withFirst('MESSAGE', own, encoded.bytes, version)
}

function encodedOf(message: BusMessage, version: Version): Encoded {
  const { destination, headers, body } = message
  const encoded = { message, bytes: encode(frame('MESSAGE', { ...headers, destination }, body), version) }
  last.set(version, encoded)
  return encoded
}
