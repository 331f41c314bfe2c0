import { fail, invalid } from '../../errors.ts'
import type { Ids } from '../../runtime/ids.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/time.ts'
import { actsOn } from '../../trail/act.ts'
import { loginOf, type Principal } from '../principal.ts'
import type { ApiKey, KeyAdministration } from './api-key.ts'
import { isKeyId, keyIdOf, keyTextOf, newSecret, secretHashOf } from './api-key.ts'

export interface KeyParts {
  readonly keys: KeyAdministration
  readonly ids: Pick<Ids, 'ordered'>
  readonly clock: Clock
  readonly log: Log
}

export interface NewKey {
  readonly name: string
  readonly sources?: readonly string[] | undefined
  readonly expiresAt?: Date | undefined
}

const DAY_MS = 24 * 60 * 60 * 1000
const USUAL_DAYS = 365
const MAXIMUM_DAYS = 730

/**
 * The text of a key is in this answer, and nowhere else.
 * @throws ServiceError `VALIDATION_FAILED`, `UNAVAILABLE`; `KEYS_ELSEWHERE` for a maker whose role ends with the session
 */
export async function createKey({ keys, ids, clock, log }: KeyParts, given: NewKey, maker: Principal) {
  const { uid = '', username: createdBy, oauth2 } = maker
  if (oauth2?.claimed) throw fail('KEYS_ELSEWHERE')
  const createdAt = clock.now()
  const expiresAt = endOf(given, createdAt)
  const secret = newSecret()
  const id = keyIdOf(ids.ordered())
  const { name, sources } = given
  const made = { createdAt, createdBy, uid, loginAt: loginOf(maker) ?? createdAt }
  const key: ApiKey = { id, name, sources, secretHash: secretHashOf(secret), ...made, expiresAt }
  actsOn({ type: 'key', id, name })
  await keys.add(key)
  log.info('audit', { decision: 'key made', key: id, user: createdBy })
  return { ...shownKey(key), key: keyTextOf({ id, secret }) }
}

function endOf({ expiresAt }: NewKey, createdAt: Date): Date {
  const end = expiresAt ?? new Date(createdAt.getTime() + USUAL_DAYS * DAY_MS)
  const days = (end.getTime() - createdAt.getTime()) / DAY_MS
  if (days > 0 && days <= MAXIMUM_DAYS) return end
  throw invalid([{ path: ['expiresAt'], message: `must be in the future, at most ${MAXIMUM_DAYS} days from now` }])
}

interface PageRequest {
  readonly limit: number
  /** The id of the last key of the page before. */
  readonly cursor?: string | undefined
}

/**
 * One page, newest first.
 * @param uid only those of this account
 * @throws ServiceError `VALIDATION_FAILED` for a cursor that is none, `UNAVAILABLE`
 */
export async function listKeys({ keys }: Pick<KeyParts, 'keys'>, { limit, cursor }: PageRequest, uid?: string) {
  if (cursor !== undefined && !isKeyId(cursor)) {
    throw invalid([{ path: ['cursor'], message: 'must come from a page of keys' }], { cursor })
  }
  const found = await keys.list(limit + 1, cursor, uid)
  const page = found.slice(0, limit)
  return { keys: page.map(shownKey), nextCursor: found.length > limit ? (page.at(-1)?.id ?? null) : null }
}

/** @throws ServiceError `KEY_NOT_FOUND`, `UNAVAILABLE` */
export async function deleteKey({ keys, log }: Pick<KeyParts, 'keys' | 'log'>, id: string, user: string) {
  const known = isKeyId(id) ? await keys.find(id) : undefined
  if (!known) throw fail('KEY_NOT_FOUND')
  actsOn({ type: 'key', id, name: known.name })
  if (!(await keys.remove(id))) throw fail('KEY_NOT_FOUND')
  log.info('audit', { decision: 'key deleted', key: id, user })
}

/** A key as admins see it: absent values are null, nothing of the secret. */
function shownKey({ id, name, sources, createdAt, createdBy, expiresAt, lastUsedAt }: ApiKey) {
  return {
    id,
    name,
    sources: sources ?? null,
    createdAt: createdAt.toISOString(),
    createdBy,
    expiresAt: expiresAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }
}
