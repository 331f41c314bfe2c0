import { fail, type ServiceError } from '../../errors.ts'
import { createRecent } from '../../runtime/cache.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/time.ts'
import { isOver } from '../../users/credentials.ts'
import type { AccountStates } from '../account-states.ts'
import type { Principal } from '../principal.ts'
import type { ApiKey, KeyReader } from './api-key.ts'
import { isSecretOf, readKeyText } from './api-key.ts'

/** Checks the API keys of machines. */
export interface KeyGate {
  /** @throws ServiceError `API_KEY_INVALID`, the same for every fault of a key; `UNAVAILABLE` */
  check(text: string): Promise<Principal>
  /** Checks again a key that was accepted. @throws ServiceError `API_KEY_INVALID` once it is over; `UNAVAILABLE` */
  confirm(id: string): Promise<void>
}

export interface KeyGateParts {
  readonly keys: KeyReader
  readonly accounts: Pick<AccountStates, 'find'>
  readonly clock: Clock
  readonly log: Log
}

/** How long a key that was read is cached, in milliseconds. */
export const FRESH_MS = 20_000

/** The minimum time between two notes of a key's use, in milliseconds. */
const NOTE_INTERVAL_MS = 5 * 60_000

const MAXIMUM_REMEMBERED = 1000

interface Look {
  readonly at: number
  readonly key: Promise<ApiKey | undefined>
}

export function createKeyGate({ keys, accounts, clock, log }: KeyGateParts): KeyGate {
  /** Cached keys by id; an unknown id is not cached. */
  const looks = createRecent<Look>(MAXIMUM_REMEMBERED)
  /** When this process last tried to note the use of a key. */
  const noted = createRecent<number>(MAXIMUM_REMEMBERED)
  const now = () => clock.now().getTime()

  /** A key is as good as the admin who made it. */
  async function usable(id: string): Promise<ApiKey | undefined> {
    const key = await keys.find(id)
    const maker = key && (await accounts.find(key.uid))
    const isGood = key && maker?.roles.includes('ROLE_ADMIN') && !isOver('key', key.loginAt, maker)
    return isGood ? key : undefined
  }

  function find(id: string): Promise<ApiKey | undefined> {
    const known = looks.get(id)
    const age = known && now() - known.at
    if (known && age !== undefined && age >= 0 && age < FRESH_MS) return known.key
    const look = { at: now(), key: usable(id) }
    const forget = () => looks.get(id) === look && looks.delete(id)
    look.key.then((key) => key ?? forget(), forget)
    looks.set(id, look)
    return look.key
  }

  /** The caller does not wait for the note, and it may fail. */
  function note({ id, lastUsedAt }: ApiKey): void {
    const at = now()
    const last = Math.max(lastUsedAt?.getTime() ?? 0, noted.get(id) ?? 0)
    if (at - last < NOTE_INTERVAL_MS) return
    noted.set(id, at)
    const noting = keys.noteUse(id, new Date(at), new Date(at - NOTE_INTERVAL_MS))
    noting.catch((cause) => log.warn('the use of a key was not noted', { key: id, cause }))
  }

  function demandGood(key: ApiKey | undefined): ApiKey {
    if (!key || now() >= key.expiresAt.getTime()) throw invalidKey()
    note(key)
    return key
  }

  return {
    async check(text) {
      const given = readKeyText(text)
      const key = given && (await find(given.id))
      const isRight = isSecretOf(given?.secret ?? '', key?.secretHash)
      return principalOf(demandGood(isRight ? key : undefined))
    },
    async confirm(id) {
      demandGood(await find(id))
    },
  }
}

function invalidKey(): ServiceError {
  return fail('API_KEY_INVALID', { authType: 'API Key', reason: 'Bad credentials' })
}

function principalOf({ id, sources }: ApiKey): Principal {
  const key = { id, ...(sources && { sources }) }
  return { username: `key:${id}`, roles: [], authType: 'API_KEY', principalType: 'ApiKey', key }
}
