import { listCursor, member } from '../../runtime/list-cursor.ts'
import { toLocalDateTime } from '../../runtime/local-date-time.ts'
import { type Replay, type ReplayCounter, replaySummary } from './replay.ts'

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

const replayCursor = listCursor('replays', { acceptedAt: member.time, replayId: member.name })

interface ReplaysRequest {
  readonly limit: number
  readonly cursor?: string | undefined
}

/**
 * One page of replays for operators, the last accepted first.
 * @throws ServiceError `VALIDATION_FAILED` for what is no cursor, `UNAVAILABLE`
 */
export async function listReplays(
  { replays, counter }: { readonly replays: ReplayList; readonly counter: ReplayCounter },
  { limit, cursor }: ReplaysRequest,
) {
  const page = await replays.list(replayCursor.read({}, cursor), limit)
  const shown = await Promise.all(page.replays.map((replay) => shownReplay(replay, counter)))
  return { replays: shown, nextCursor: page.next ? replayCursor.of({}, page.next) : null }
}

/** The order of a replay, its user, and its progress. */
async function shownReplay(replay: Replay, counter: ReplayCounter) {
  const { destination, filter, reason, ratePerSecond, user, acceptedAt } = replay
  const { from, to, ...same } = filter
  const times = { ...(from && { from: toLocalDateTime(from) }), ...(to && { to: toLocalDateTime(to) }) }
  return {
    ...(await replaySummary(replay, counter)),
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
