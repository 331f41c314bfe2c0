import type { Cancel, Timers } from '../runtime/async.ts'
import type { Clock } from '../runtime/time.ts'
import { malformed } from './codec/frame.ts'

/** Milliseconds between two signs of life; 0 is none. */
export interface HeartBeat {
  readonly sends: number
  readonly expects: number
}

/**
 * What both sides can do and want (STOMP 1.2, "Heart-beating").
 * @param own how often the server sends and expects to receive, 0 never
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
  readonly #sending: Silence | undefined
  readonly #listening: Silence | undefined

  constructor({ beat, send, lost, ...parts }: Parts) {
    if (beat.sends > 0) this.#sending = new Silence(parts, beat.sends, send)
    if (beat.expects > 0) this.#listening = new Silence(parts, 2 * beat.expects, lost)
  }

  sent(): void {
    this.#sending?.break()
  }

  received(): void {
    this.#listening?.break()
  }

  stop(): void {
    this.#sending?.stop()
    this.#listening?.stop()
  }
}

/** Calls `due` each time that it has lasted for as long as the limit, in milliseconds. */
class Silence {
  readonly #parts: Pick<Parts, 'clock' | 'timers'>
  readonly #limit: number
  readonly #due: () => void
  #since: number
  #cancel: Cancel
  #isStopped = false

  constructor(parts: Pick<Parts, 'clock' | 'timers'>, limit: number, due: () => void) {
    this.#parts = parts
    this.#limit = limit
    this.#due = due
    this.#since = this.#now()
    this.#cancel = this.#lookAfter(limit)
  }

  break(): void {
    this.#since = this.#now()
  }

  stop(): void {
    this.#isStopped = true
    this.#cancel()
  }

  #look(): void {
    if (this.#now() - this.#since >= this.#limit) {
      this.break()
      this.#due()
    }
    if (!this.#isStopped) this.#cancel = this.#lookAfter(this.#since + this.#limit - this.#now())
  }

  #lookAfter(milliseconds: number): Cancel {
    return this.#parts.timers.after(milliseconds, () => this.#look())
  }

  #now(): number {
    return this.#parts.clock.now().getTime()
  }
}
