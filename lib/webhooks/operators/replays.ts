import { Buffer } from 'node:buffer'
import * as z from 'zod/mini'
import { invalid } from '../../errors.ts'
import { toLocalDateTime } from '../../runtime/local-date-time.ts'
import { fromUtf8 } from '../../runtime/utf8.ts'
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
  const page = await replays.list(cursor === undefined ? undefined : position(cursor), limit)
  const shown = await Promise.all(page.replays.map((replay) => shownReplay(replay, counter)))
  return { replays: shown, nextCursor: page.next ? cursorOf(page.next) : null }
}

function position(cursor: string): ReplayPosition {
  const { success, data } = z.safeParse(content, parsed(cursor))
  if (success) return { acceptedAt: new Date(data[0]), replayId: data[1] }
  throw invalid([{ path: ['cursor'], message: 'must come from a page of replays' }], { cursor })
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

/** The last time that a `Date` can hold (ECMA-262, "Time Values and Time Range"), in milliseconds. */
const LAST_TIME = 8.64e15

const content = z.tuple([
  z.int().check(z.minimum(0), z.maximum(LAST_TIME)),
  z.string().check(z.minLength(1), z.maxLength(128)),
])

/** A position as a text that callers pass from page to page. */
function cursorOf({ acceptedAt, replayId }: ReplayPosition): string {
  return Buffer.from(JSON.stringify([acceptedAt.getTime(), replayId])).toString('base64url')
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(fromUtf8(Buffer.from(cursor, 'base64url')) ?? '')
  } catch {
    return undefined
  }
}
