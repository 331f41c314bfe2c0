import type { Log } from '../../runtime/log.ts'
import type { Cancel, Timers } from '../../runtime/timers.ts'
import type { BusMessage } from '../../stomp/bus.ts'
import { type Arrived, messagesIn } from './publication.ts'

export interface ArrivalsParts {
  readonly timers: Timers
  readonly log: Log
  deliver(message: BusMessage): void
}

/** A publication that cannot be delivered yet. */
interface Waiting {
  readonly number: number
  readonly after: number
  readonly pieces: Map<number, string>
  messages: readonly BusMessage[] | undefined
}

interface Origin {
  readonly name: string
  /** The number of the last publication that was delivered, or given up; undefined for a new origin. */
  last: number | undefined
  readonly waiting: Map<number, Waiting>
  cancel: Cancel | undefined
}

/** How long a publication waits for one before it, which SNS and SQS may deliver later. */
const HOLD_MS = 5000

/** The same for the first publication received from an instance, which may have been sending for some time. */
const JOIN_MS = 1000

/** The number of instances that are remembered; the one that was silent for the longest time is forgotten first. */
const ORIGINS = 256

/**
 * Delivers the publications of other instances, each once, and those of one instance in the order of its numbers. One
 * that does not arrive in time counts as lost: it is logged, and is no longer delivered.
 */
export function createArrivals({ timers, log, deliver }: ArrivalsParts) {
  const origins = new Map<string, Origin>()

  function originOf(name: string): Origin {
    const origin = origins.get(name) ?? { name, last: undefined, waiting: new Map(), cancel: undefined }
    origins.delete(name)
    origins.set(name, origin)
    for (const [oldest, { cancel }] of origins) {
      if (origins.size <= ORIGINS) break
      cancel?.()
      origins.delete(oldest)
    }
    return origin
  }

  /** Delivers all publications that follow the last delivered one, and waits for a missing one. */
  function advance(origin: Origin): void {
    for (let next = nextOf(origin); next; next = nextOf(origin)) {
      pass(origin, next.number)
      for (const message of next.messages) deliver(message)
    }
    if (origin.waiting.size === 0) return
    const patience = origin.last === undefined ? JOIN_MS : HOLD_MS
    origin.cancel ??= timers.after(patience, () => giveUp(origin))
  }

  /** Advances an origin to a number: publications before it are no longer delivered. */
  function pass(origin: Origin, number: number): void {
    origin.last = number
    for (const earlier of origin.waiting.keys()) if (earlier <= number) origin.waiting.delete(earlier)
    origin.cancel?.()
    origin.cancel = undefined
  }

  /** Skips the missing publications. */
  function giveUp(origin: Origin): void {
    const { name, last, waiting } = origin
    const [first] = wholeOf(waiting)
    const reached = first ? first.after : Math.max(...waiting.keys())
    if (last !== undefined || !first) log.warn('fan-out: messages are missing', { origin: name, after: last, reached })
    pass(origin, reached)
    advance(origin)
  }

  return {
    take({ origin: name, number, after, part, parts, content }: Arrived): void {
      const origin = originOf(name)
      if (number <= (origin.last ?? 0)) return
      const found = origin.waiting.get(number) ?? { number, after, pieces: new Map(), messages: undefined }
      origin.waiting.set(number, found)
      if (typeof content === 'string') addPiece(found, part, parts, content)
      else found.messages = content
      advance(origin)
    },
  }
}

function addPiece(found: Waiting, part: number, parts: number, content: string): void {
  found.pieces.set(part, content)
  if (found.pieces.size < parts) return
  found.messages ??= messagesIn(Array.from({ length: parts }, (_, index) => found.pieces.get(index) ?? ''))
}

interface Whole extends Waiting {
  readonly messages: readonly BusMessage[]
}

/** The complete publications, by their numbers. */
function wholeOf(waiting: Origin['waiting']): readonly Whole[] {
  const whole = [...waiting.values()].filter((one): one is Whole => one.messages !== undefined)
  return whole.sort((one, other) => one.number - other.number)
}

/** The next one to deliver, if nothing is missing before it. */
function nextOf({ last = 0, waiting }: Origin): Whole | undefined {
  return wholeOf(waiting).find(({ after }) => after <= last)
}
