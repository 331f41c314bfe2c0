import type { LoggedIn, LoginTrail } from '../auth/login-trail.ts'
import { correlation } from '../runtime/correlation.ts'
import type { Current } from '../runtime/current.ts'
import type { RingKey } from '../runtime/settings/key-ring.ts'
import type { Trail, TrailEntry } from './entry.ts'
import { nameHashOf } from './keys.ts'

/** The lines of logins. A line that cannot be written is the trail's to log. */
export function loginLines(trail: Trail, keys: Current<readonly RingKey[]>): LoginTrail {
  async function write(entry: TrailEntry): Promise<void> {
    await trail.record({ ...entry, requestId: correlation().requestId }).catch(() => undefined)
  }

  const actor = ({ uid, username, authType }: LoggedIn) => ({ uid, user: username, authType })

  return {
    accepted: (who, method, from) => write({ action: 'login.accepted', method, ...actor(who), from }),
    async refused(name, method, from) {
      const [key] = keys.current
      const nameHash = key && nameHashOf(key, name)
      await write({ action: 'login.refused', method, nameHash, from, outcome: 'BAD_CREDENTIALS' })
    },
    ended: (who, from) => write({ action: 'logins.ended', ...actor(who), from }),
  }
}
