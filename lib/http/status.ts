import { ServiceError } from '../errors.ts'
import { type Timers, withTimeout } from '../runtime/async.ts'
import { ConfigError } from '../runtime/config.ts'
import { type Log, VERSION } from '../runtime/log.ts'
import type { Clock } from '../runtime/time.ts'
import { satisfies } from '../users/role.ts'
import type { HttpEvent } from './message.ts'
import { type Checks, check, findCredentials } from './middleware/authenticate.ts'

interface StatusParts {
  readonly clock: Clock
  readonly checks: Pick<Checks, 'session'>
  readonly isLocal: boolean
  readonly states: () => Promise<PartStates>
}

const BY_BADNESS: readonly State[] = ['down', 'misconfigured', 'silent', 'slow', 'ok']

/** The state of each part; addresses, counts, wrong settings and the version on the local stage, and for an administrator. */
export async function statusFor(event: HttpEvent, { clock, checks, isLocal, states }: StatusParts) {
  const { parts, lookedAt } = await states()
  const isDetailed = isLocal || (await isAdmin(event, checks))
  const ageSeconds = Math.max(0, Math.floor((clock.now().getTime() - lookedAt.getTime()) / 1000))
  const found = new Set(parts.map(({ state }) => state))
  return {
    state: BY_BADNESS.find((state) => found.has(state)) ?? 'ok',
    ...(isDetailed && { version: VERSION }),
    parts: parts.map(({ name, state, ...details }) => ({ name, state, ageSeconds, ...(isDetailed && details) })),
  }
}

/** A session that is over is ignored, as other credentials are. */
async function isAdmin(event: HttpEvent, checks: Checks): Promise<boolean> {
  try {
    const found = findCredentials(event, checks, 'session')
    const principal = found && (await check(found, checks, () => ''))
    return satisfies(principal?.roles ?? [], 'ROLE_ADMIN')
  } catch (error) {
    if (error instanceof ServiceError) return false
    throw error
  }
}

export type State = 'ok' | 'slow' | 'silent' | 'misconfigured' | 'down'

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
  /** The settings with which a part cannot be used. */
  readonly problems?: readonly string[]
}

export interface PartStates {
  readonly parts: readonly PartState[]
  readonly lookedAt: Date
}

/** Slower than the first counts as slow, in milliseconds; after the second, as silent. */
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
    if (current === undefined || Math.abs(now.getTime() - startedAt) >= FRESH_MS) {
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
  let looking: AbortSignal | undefined
  try {
    let waiting: number | undefined
    await withTimeout(timers, PATIENCE_MS, async (signal) => {
      looking = signal
      waiting = await look(signal)
    })
    const state = clock.now().getTime() - start > SLOW_MS ? 'slow' : 'ok'
    return { name, address, state, waiting }
  } catch (cause) {
    const problems = problemsIn(cause)
    log.warn(problems ? 'a part cannot be used' : 'a part does not answer', { part: name, cause })
    if (problems) return { name, address, state: 'misconfigured', problems }
    return { name, address, state: looking?.aborted ? 'silent' : 'down' }
  }
}

/** The settings that an error blames. */
function problemsIn(error: unknown): readonly string[] | undefined {
  const cause = error instanceof ServiceError ? error.cause : error
  return cause instanceof ConfigError ? cause.problems : undefined
}
