import { createHash, createHmac } from 'node:crypto'
import type { LoggedIn, LoginTrail } from '../auth/login-attempts.ts'
import { ServiceError } from '../errors.ts'
import { networkOf } from '../runtime/address.ts'
import { createRecent } from '../runtime/cache.ts'
import type { Ids } from '../runtime/ids.ts'
import type { Log } from '../runtime/log.ts'
import type { Clock } from '../runtime/time.ts'
import { correlation } from '../runtime/trace.ts'
import { userKey } from '../users/user.ts'
import { type Act, type Actor, type Deed, during, type TrailRow } from './act.ts'

/** Where rows are. */
export interface TrailStore {
  /** The table, for rows that are stored together with a change. */
  readonly table: string
  /** Stores a row, unless there is one with its id. @throws ServiceError `UNAVAILABLE` */
  put(row: TrailRow): Promise<void>
}

/** The audit trail, as actors leave it behind. */
export interface Trail {
  begin(deed: Deed): Act
  /** Stores the row of an action that changes nothing else. @throws ServiceError `UNAVAILABLE` */
  done(act: Act): Promise<void>
  /**
   * Stores the row of an action that was refused or failed; it never rejects. A call whose form is wrong leaves none.
   */
  ended(act: Act, error: unknown): Promise<void>
  /** Stores a row that no answer depends on; it never rejects. @param id of the row, where there must be one only */
  note(deed: Deed & Pick<TrailRow, 'outcome' | 'error'>, id?: string): Promise<void>
}

export interface TrailParts {
  readonly store: TrailStore
  /** How long rows are kept. */
  readonly days: number
  readonly clock: Clock
  readonly ids: Pick<Ids, 'unique'>
  readonly log: Log
}

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Rows of one actor's refused actions that a process stores in a minute: they cannot fill the table. */
const MOST_REFUSED = 20

const MAXIMUM_ACTORS = 1000

export function createTrail({ store, days, clock, ids, log }: TrailParts): Trail {
  const refused = createRecent<{ readonly minute: number; readonly count: number }>(MAXIMUM_ACTORS)

  function rowOf(deed: Deed, id = ids.unique()): TrailRow {
    const at = clock.now()
    return { ...deed, id, at, endsAt: new Date(at.getTime() + days * DAY), outcome: 'done' }
  }

  async function put(row: TrailRow): Promise<void> {
    try {
      await store.put(row)
    } catch (cause) {
      log.error('an action is missing in the audit trail', { action: row.action, outcome: row.outcome, cause })
    }
  }

  function isOneTooMany({ actor }: TrailRow): boolean {
    const name = JSON.stringify([actor?.uid, actor?.name, actor?.keyId])
    const minute = Math.floor(clock.now().getTime() / MINUTE)
    const known = refused.get(name)
    const count = known?.minute === minute ? known.count + 1 : 1
    refused.set(name, { minute, count })
    return count > MOST_REFUSED
  }

  return {
    begin: (deed) => ({ table: store.table, row: rowOf(deed), isStored: false }),

    async done(act) {
      await store.put(act.row)
      act.isStored = true
    },

    async ended({ row, isStored }, error) {
      const end = endOf(error)
      if (isStored || end === undefined || (end.outcome === 'refused' && isOneTooMany(row))) return
      await put({ ...row, ...end })
    },

    note: ({ outcome, error, ...deed }, id) => put({ ...rowOf(deed, id), outcome, error }),
  }
}

/** Refusals of a known caller that are about the action and not about the form of the request. */
const REFUSALS: ReadonlySet<number> = new Set([403, 404, 409, 410])

function endOf(error: unknown): Pick<TrailRow, 'outcome' | 'error'> | undefined {
  const { status, code } = error instanceof ServiceError ? error : { status: 500, code: 'UNEXPECTED' }
  if (status >= 500) return { outcome: 'failed', error: code }
  return REFUSALS.has(status) ? { outcome: 'refused', error: code } : undefined
}

/**
 * Makes a change, whose store takes the row along. A refusal or a failure leaves a row that says so.
 * @throws the error of the change
 */
export function recordChange<T>(trail: Trail, deed: Deed, change: () => Promise<T>): Promise<T> {
  return recorded(trail, trail.begin(deed), change)
}

/**
 * Does what stores nothing, and stores its row before the answer.
 * @throws ServiceError `UNAVAILABLE` when the row cannot be stored; the error of the work
 */
export function recordAlone<T>(trail: Trail, deed: Deed, work: () => T | Promise<T>): Promise<T> {
  const act = trail.begin(deed)
  return recorded(trail, act, async () => {
    const result = await work()
    await trail.done(act)
    return result
  })
}

async function recorded<T>(trail: Trail, act: Act, work: () => Promise<T>): Promise<T> {
  try {
    return await during(act, work)
  } catch (error) {
    await trail.ended(act, error)
    throw error
  }
}

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
 * The keyed hash of a typed name, the same in any case, and for all texts that cannot be a name. The name may be a
 * password, so it must not be possible to guess it.
 */
export function nameHashOf(key: Uint8Array, name: string): string {
  return createHmac('sha256', key)
    .update(userKey(name) ?? '')
    .digest('base64url')
}
