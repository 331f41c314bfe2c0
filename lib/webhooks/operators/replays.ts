import { invalid } from '../../errors.ts'
import { toLocalDateTime } from '../../runtime/local-date-time.ts'
import { type Replay, replaySummary } from './replay.ts'
import { readReplayCursor, replayCursorOf } from './replay-cursor.ts'

/** A place in the list of replays. */
export interface ReplayPosition {
  readonly replayId: string
  readonly acceptedAt: Date
}

interface ReplayPage {
  readonly replays: readonly Replay[]
  /** The replay after which the next page begins; undefined on the last page. */
  readonly next: ReplayPosition | undefined
}

/** All replays. */
export interface ReplayList {
  /**
   * The replays that were accepted after a position, the newest first; equal times in any order, always the same.
   * @throws ServiceError `UNAVAILABLE`
   */
  list(after: ReplayPosition | undefined, limit: number): Promise<ReplayPage>
}

interface ReplaysRequest {
  readonly limit: number
  readonly cursor?: string | undefined
}

/**
 * One page of replays for operators, the last accepted first.
 * @throws ServiceError `VALIDATION_FAILED` for what is no cursor, `UNAVAILABLE`
 */
export async function listReplays(replays: ReplayList, { limit, cursor }: ReplaysRequest) {
  const page = await replays.list(cursor === undefined ? undefined : position(cursor), limit)
  return { replays: page.replays.map(shownReplay), nextCursor: page.next ? replayCursorOf(page.next) : null }
}

function position(cursor: string): ReplayPosition {
  const after = readReplayCursor(cursor)
  if (after) return after
  throw invalid([{ path: ['cursor'], message: 'must come from a page of replays' }], { cursor })
}

/** The order of a replay, its user, and its progress. */
function shownReplay(replay: Replay) {
  const { destination, filter, reason, ratePerSecond, user, acceptedAt } = replay
  const { from, to, ...same } = filter
  const times = { ...(from && { from: toLocalDateTime(from) }), ...(to && { to: toLocalDateTime(to) }) }
  return {
    ...replaySummary(replay),
    destination: destination ?? null,
    filter: { ...definedOf(same), ...times },
    reason: reason ?? null,
    ratePerSecond,
    user,
    acceptedAt: toLocalDateTime(acceptedAt),
  }
}

function definedOf(filter: object) {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
}
