import type { Clock } from '../platform/clock.ts'
import type { Cancel, Timers } from '../platform/timers.ts'
import { malformed } from './codec/protocol-error.ts'

/** Milliseconds between two signs of life; 0 is none. */
export interface HeartBeat {
  readonly sends: number
  readonly expects: number
}

/**
 * What both sides can do and want (STOMP 1.2, "Heart-beating").
 * @param own how often the server sends and wants to receive, 0 never
 * @throws ProtocolError for a header that is not two whole numbers
 */
export function negotiateHeartBeat(header: string | undefined, own: number): HeartBeat {
  const [, sends, wants] = /^(\d{1,9}),(\d{1,9})$/.exec(header ?? '0,0') ?? []
  if (sends === undefined || wants === undefined) throw malformed('heart-beat must be two whole numbers')
  return { sends: slower(own, Number(wants)), expects: slower(own, Number(sends)) }
}

function slower(own: number, other: number): number {
  return own === 0 || other === 0 ? 0 : Math.max(own, other)
}

interface Parts {
  readonly beat: HeartBeat
  readonly clock: Clock
  readonly timers: Timers
  send(): void
  /** The other side has been silent for twice as long as agreed. */
  lost(): void
}

/** Sends when nothing else was sent, and listens. */
export class HeartBeats {
  readonly #clock: Clock
  readonly #stops: readonly Cancel[]
  #sentAt: number
  #receivedAt: number

  constructor({ beat, clock, timers, send, lost }: Parts) {
    this.#clock = clock
    this.#sentAt = this.#receivedAt = clock.now().getTime()
    this.#stops = [
      watch(
        timers,
        beat.sends,
        () => this.#since(this.#sentAt),
        () => {
          this.sent()
          send()
        },
      ),
      watch(
        timers,
        2 * beat.expects,
        () => this.#since(this.#receivedAt),
        () => {
          this.received()
          lost()
        },
      ),
    ]
  }

  sent(): void {
    this.#sentAt = this.#clock.now().getTime()
  }

  received(): void {
    this.#receivedAt = this.#clock.now().getTime()
  }

  stop(): void {
    for (const stop of this.#stops) stop()
  }

  #since(time: number): number {
    return this.#clock.now().getTime() - time
  }
}

/** Calls `due` each time that `silence` has reached a limit, in milliseconds; 0 is never. */
function watch(timers: Timers, limit: number, silence: () => number, due: () => void): Cancel {
  if (limit === 0) return () => {}
  let isStopped = false
  let cancel: Cancel
  const look = (): void => {
    if (silence() >= limit) due()
    if (!isStopped) cancel = timers.after(limit - silence(), look)
  }
  cancel = timers.after(limit, look)
  return () => {
    isStopped = true
    cancel()
  }
}
