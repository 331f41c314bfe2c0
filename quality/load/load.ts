import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import { arrive } from './arrivals.ts'
import type { Kind, StoredId } from './calls.ts'
import type { Sender } from './sender.ts'

/** What became of the calls of some time. */
export interface Outcome {
  readonly sent: number
  /** How many were answered so: `200`, `503`, or the code of a lost connection. */
  readonly answers: ReadonlyMap<string, number>
  /** Calls that were answered neither as they should, nor with 429 or 503. */
  readonly wrong: readonly string[]
  /** Microseconds of the calls that were answered as they should, from when each was due. */
  readonly latency: RecordableHistogram
}

/** Statuses that ask a caller to come again. */
const SHED = [429, 503]

/** Sends calls of every kind, and keeps what was acknowledged. */
export class Load {
  /** Events whose calls were answered with success. */
  readonly acknowledged: StoredId[] = []
  readonly #sender: Sender
  readonly #rotation: readonly Kind[]
  #number = 0

  constructor(sender: Sender, rotation: readonly Kind[]) {
    this.#sender = sender
    this.#rotation = rotation
  }

  /** Sends so many calls a second, whether or not they are answered; settles when all are. */
  async open(rate: number, seconds: number): Promise<Outcome> {
    const tally = newTally()
    const calls: Promise<void>[] = []
    await arrive(rate, seconds, (dueAt) => calls.push(this.#call(tally, dueAt)))
    await Promise.all(calls)
    return tally
  }

  /** As many callers, each of whom waits for an answer before the next call; settles when all are answered. */
  async closed(callers: number, seconds: number): Promise<Outcome> {
    const tally = newTally()
    const end = performance.now() + seconds * 1000
    const lives = Array.from({ length: callers }, async () => {
      while (performance.now() < end) await this.#call(tally, performance.now())
    })
    await Promise.all(lives)
    return tally
  }

  async #call(tally: ReturnType<typeof newTally>, dueAt: number): Promise<void> {
    const number = this.#number++
    const kind = this.#rotation[number % this.#rotation.length]
    if (!kind) throw new Error('no kind of call to send')
    tally.sent += 1
    const answer = await this.#sender.send(kind.make(number)).catch((error: NodeJS.ErrnoException) => error)
    const told = 'status' in answer ? String(answer.status) : (answer.code ?? answer.message)
    tally.answers.set(told, (tally.answers.get(told) ?? 0) + 1)
    if (told === String(kind.status)) {
      tally.latency.record(Math.max(1, Math.round((performance.now() - dueAt) * 1000)))
      if (kind.stores) this.acknowledged.push(kind.stores(number))
    } else if (!SHED.includes(Number(told))) tally.wrong.push(`${kind.name}: ${told}`)
  }
}

function newTally() {
  return { sent: 0, answers: new Map<string, number>(), wrong: [] as string[], latency: createHistogram() }
}

/** How many calls were rejected with 429 or 503. */
export function shedOf({ answers }: Outcome): number {
  return SHED.reduce((sum, status) => sum + (answers.get(String(status)) ?? 0), 0)
}

/** The latency that so many of a hundred calls do not exceed, in milliseconds. */
export function percentile({ latency }: Outcome, percent: number): number {
  return latency.percentile(percent) / 1000
}
