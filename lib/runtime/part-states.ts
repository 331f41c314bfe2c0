import { type Timers, withPatience } from './async.ts'
import type { Log } from './log.ts'
import type { Clock } from './time.ts'

export type State = 'ok' | 'slow' | 'down'

/** A part of a stage that others depend on. */
export interface StagePart {
  readonly name: string
  readonly address?: string | undefined
  /** Asks the part for a sign of life, and how much waits in it, if it holds work. @throws anything if there is none */
  look(signal: AbortSignal): Promise<number | undefined>
}

export interface PartState extends Pick<StagePart, 'name' | 'address'> {
  readonly state: State
  /** How much waits in it; absent where nothing can wait or the part is down. */
  readonly waiting?: number | undefined
}

export interface PartStates {
  readonly parts: readonly PartState[]
  readonly lookedAt: Date
}

/** Slower than the first counts as slow, in milliseconds; after the second the check is given up. */
const SLOW_MS = 1000
const PATIENCE_MS = 3000

/** How long a check is cached, in milliseconds. */
const FRESH_MS = 10_000

interface Watch {
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Log
}

/** Looks at all parts at once, at most every ten seconds; callers in between share the look. It never rejects. */
export function watchParts(parts: readonly StagePart[], watch: Watch): () => Promise<PartStates> {
  let current: Promise<PartStates> | undefined
  let startedAt = 0
  return () => {
    const now = watch.clock.now()
    if (current === undefined || now.getTime() - startedAt >= FRESH_MS) {
      startedAt = now.getTime()
      current = Promise.all(parts.map((part) => stateOf(part, watch))).then((states) => ({
        parts: states,
        lookedAt: now,
      }))
    }
    return current
  }
}

async function stateOf({ name, address, look }: StagePart, { clock, timers, log }: Watch): Promise<PartState> {
  const start = clock.now().getTime()
  try {
    let waiting: number | undefined
    await withPatience(timers, PATIENCE_MS, async (signal) => {
      waiting = await look(signal)
    })
    const state = clock.now().getTime() - start > SLOW_MS ? 'slow' : 'ok'
    return { name, address, state, waiting }
  } catch (cause) {
    log.warn('a part does not answer', { part: name, cause })
    return { name, address, state: 'down' }
  }
}
