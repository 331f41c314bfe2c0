import { ServiceError } from '../errors.ts'
import type { PartStates, State } from '../runtime/part-states.ts'
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

const BY_BADNESS: readonly State[] = ['down', 'slow', 'ok']

/** The state of each part; addresses and counts on the local stage, and for an administrator. */
export async function statusFor(event: HttpEvent, { clock, checks, isLocal, states }: StatusParts) {
  const { parts, lookedAt } = await states()
  const isDetailed = isLocal || (await isAdmin(event, checks))
  const ageSeconds = Math.max(0, Math.floor((clock.now().getTime() - lookedAt.getTime()) / 1000))
  const found = new Set(parts.map(({ state }) => state))
  return {
    state: BY_BADNESS.find((state) => found.has(state)) ?? 'ok',
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
