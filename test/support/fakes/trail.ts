import type { LoginTrail } from '../../../lib/auth/login-attempts.ts'
import { unavailable } from '../../../lib/errors.ts'
import { type Act, actToStore, type TrailRow } from '../../../lib/trail/act.ts'
import type { TrailPages } from '../../../lib/trail/list.ts'
import { createTrail, type Trail } from '../../../lib/trail/trail.ts'
import { fixedClock } from './clock.ts'
import { countingIds } from './ids.ts'
import { recordingLog } from './log.ts'

/** A trail in memory; while it is down, nothing is stored. */
export interface RecordingTrail extends Trail {
  /** The actions that began, with what is known of them by now. */
  readonly acts: readonly Act[]
  /** The rows that were stored alone: that of a change is stored by the store that makes it. */
  readonly rows: readonly TrailRow[]
  isDown: boolean
}

export function recordingTrail(clock = fixedClock(), log = recordingLog()): RecordingTrail {
  const acts: Act[] = []
  const rows: TrailRow[] = []
  const state = { isDown: false }
  const store = {
    table: 'audit',
    async put(row: TrailRow): Promise<void> {
      if (state.isDown) throw unavailable(new Error('the trail is down'))
      if (!rows.some(({ id }) => id === row.id)) rows.push(row)
    },
  }
  const trail = createTrail({ store, days: 400, clock, ids: countingIds(), log })
  return Object.assign(state, trail, {
    acts,
    rows,
    begin(deed: Parameters<Trail['begin']>[0]) {
      const act = trail.begin(deed)
      acts.push(act)
      return act
    },
  })
}

/** The row that a store takes along with a change, as one of DynamoDB does; undefined outside of an action. */
export function rowTakenAlong(): TrailRow | undefined {
  const act = actToStore()
  if (act) act.isStored = true
  return act?.row
}

/**
 * Pages over rows in memory, also over those that are added later.
 * @param atOnce so many at most, whatever the limit
 */
export function memoryTrailPages(rows: readonly TrailRow[], atOnce = Number.POSITIVE_INFINITY): TrailPages {
  return async ({ by, from, to, after, limit }) => {
    const name = by?.name.toLowerCase()
    const found = rows
      .filter((row) => by === undefined || nameUnder(by.kind, row)?.toLowerCase() === name)
      .filter((row) => row.at >= from && row.at <= to && (after === undefined || isNewer(after, row)))
      .sort((one, other) => (isNewer(one, other) ? -1 : 1))
    const page = found.slice(0, Math.min(limit, atOnce))
    return { rows: page, isLast: page.length === found.length }
  }
}

/** A user, a key and a passkey are listed by their names alone. */
function nameUnder(kind: 'actor' | 'target', { actor, target }: TrailRow): string | undefined {
  if (kind === 'actor') return actor?.name ?? actor?.uid ?? actor?.keyId
  return target?.name ?? (/^(?:user|key|passkey)$/.test(target?.type ?? '') ? undefined : target?.id)
}

type Position = Pick<TrailRow, 'at' | 'id'>

/** Of two rows of one millisecond, the one with the higher id. */
function isNewer(one: Position, other: Position): boolean {
  const later = one.at.getTime() - other.at.getTime()
  return later === 0 ? one.id > other.id : later > 0
}

/** Keeps the logins that are recorded, each with what was given. */
export interface RecordingLogins extends LoginTrail {
  readonly kept: readonly (readonly unknown[])[]
}

export function recordingLogins(): RecordingLogins {
  const kept: unknown[][] = []
  const keep =
    (kind: string) =>
    async (...given: unknown[]) =>
      void kept.push([kind, ...given])
  return {
    kept,
    accepted: keep('accepted'),
    refused: keep('refused'),
    throttled: keep('throttled'),
    async recorded(action, who, address, change) {
      const result = await change()
      kept.push([action, who, address])
      return result
    },
  }
}
