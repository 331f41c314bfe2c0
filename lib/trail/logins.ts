import { createHash, createHmac } from 'node:crypto'
import type { LoggedIn, LoginTrail } from '../auth/login-attempts.ts'
import { networkOf } from '../runtime/address.ts'
import { createRecent } from '../runtime/cache.ts'
import type { Log } from '../runtime/log.ts'
import type { Clock } from '../runtime/time.ts'
import { correlation } from '../runtime/trace.ts'
import { userKey } from '../users/user.ts'
import type { Actor } from './act.ts'
import { recordChange, type Trail } from './trail.ts'

export interface LoginRowParts {
  /** The key of the hashes of names, read for the first refused login. Throws ServiceError `UNAVAILABLE`. */
  readonly nameKey: () => Promise<Uint8Array>
  /** The window in which failed logins are counted. */
  readonly windowSeconds: number
  readonly clock: Clock
  readonly log: Log
}

const MAXIMUM_REMEMBERED = 1000

const requestId = () => correlation().requestId

const actorIn = ({ uid, username, authType }: LoggedIn): Actor => ({ uid, name: username, authType })

/** The rows of logins. */
export function loginRows(trail: Trail, { nameKey, windowSeconds, clock, log }: LoginRowParts): LoginTrail {
  const throttled = createRecent<true>(MAXIMUM_REMEMBERED)

  async function hashOf(name: string): Promise<string | undefined> {
    try {
      return nameHashOf(await nameKey(), name)
    } catch (cause) {
      log.error('a refused login is recorded without the hash of its name', { cause })
      return undefined
    }
  }

  return {
    accepted: (who, from) =>
      trail.note({ action: 'login.accepted', actor: actorIn(who), from, requestId: requestId(), outcome: 'done' }),

    recorded: (action, who, from, change) =>
      recordChange(trail, { action, actor: actorIn(who), from, requestId: requestId() }, change),

    async refused(name, from) {
      const deed = { action: 'login.refused', nameHash: await hashOf(name), from, requestId: requestId() } as const
      await trail.note({ ...deed, outcome: 'refused', error: 'BAD_CREDENTIALS' })
    },

    async throttled(from) {
      const window = Math.floor(clock.now().getTime() / 1000 / windowSeconds)
      const id = createHash('sha256')
        .update(`${window} ${networkOf(from)}`)
        .digest('hex')
      if (throttled.get(id)) return
      throttled.set(id, true)
      const deed = { action: 'login.refused', from, requestId: requestId() } as const
      await trail.note({ ...deed, outcome: 'refused', error: 'TOO_MANY_REQUESTS' }, id)
    },
  }
}

/**
 * The keyed hash of a typed name, the same in any case, and for all texts that are nobody's name. The name may be a
 * password, so nobody must be able to guess it.
 */
export function nameHashOf(key: Uint8Array, name: string): string {
  return createHmac('sha256', key)
    .update(userKey(name) ?? '')
    .digest('base64url')
}
