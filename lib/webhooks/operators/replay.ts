import { fail } from '../../errors.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { EventKey } from '../event.ts'
import type { EventFilter, EventList, Position } from './list.ts'

/** The failed events to run again, and how. */
export interface ReplayRequest {
  readonly replayId: string
  /** Only FAILED events are meant, whatever else the filter says. */
  readonly filter: Omit<EventFilter, 'status'>
  readonly reason?: string | undefined
  readonly ratePerSecond: number
}

/** How far a replay has come. */
export interface ReplayProgress {
  readonly state: 'RUNNING' | 'DONE'
  /** Counted when the replay was accepted; at its end, what it really took up. */
  readonly matched: number
  /** Those that ended PROCESSED. */
  readonly done: number
  /** Those that failed again. */
  readonly failed: number
  /** What is taken up now, and counted once it has come to rest. */
  readonly batch: readonly EventKey[]
  /** Behind which event the next batch begins; undefined for the first one. */
  readonly position?: Position | undefined
  /** Whether all events have been found. */
  readonly isListed: boolean
}

export interface Replay extends ReplayRequest, ReplayProgress {
  readonly user: string
  /** No event received later is taken up. */
  readonly acceptedAt: Date
  /** How many times the work was passed on. */
  readonly step: number
}

/** A message on the replay queue: only a hint, the stored replay is the truth. */
export interface ReplayHint {
  readonly replayId: string
  /** A replay that is at another step lets the hint die. */
  readonly step: number
  /** How many steps in a row changed nothing; 0 when absent. */
  readonly idle?: number | undefined
}

/** Where replays are kept. All throw ServiceError `UNAVAILABLE`. */
export interface Replays {
  /** Puts a new replay; where there is one of that id, it stays as it is and is given back. */
  create(replay: Replay): Promise<Replay>
  find(replayId: string): Promise<Replay | undefined>
}

export interface ReplayQueue {
  /** @throws ServiceError `UNAVAILABLE` */
  send(hint: ReplayHint, delayMs: number): Promise<void>
}

export interface ReplayParts {
  readonly replays: Replays
  readonly list: EventList
  readonly replayQueue: ReplayQueue
  readonly clock: Clock
  readonly log: Log
}

export interface ReplayCommand extends ReplayRequest {
  readonly user: string
  readonly dryRun: boolean
}

type Counted = { readonly kind: 'counted'; readonly matched: number }
type Accepted = { readonly kind: 'accepted' } & ReturnType<typeof replaySummary>

/**
 * Counts what a replay would run again, or has it done; a replay that there is already goes on as it was.
 * @throws ServiceError `REPLAY_EXISTS` for the id of a replay of something else, `UNAVAILABLE`
 */
export async function startReplay(
  parts: ReplayParts,
  { dryRun, ...order }: ReplayCommand,
): Promise<Counted | Accepted> {
  const acceptedAt = parts.clock.now()
  const count = () => parts.list.count(failedUntil(order.filter, acceptedAt))
  if (dryRun) return { kind: 'counted', matched: await count() }
  const replay = (await parts.replays.find(order.replayId)) ?? (await create(parts.replays, order, acceptedAt, count))
  if (contentOf(replay) !== contentOf(order)) throw fail('REPLAY_EXISTS')
  await wake(parts, replay)
  return { kind: 'accepted', ...replaySummary(replay) }
}

async function create(
  replays: Replays,
  order: Omit<ReplayCommand, 'dryRun'>,
  acceptedAt: Date,
  count: () => Promise<number>,
): Promise<Replay> {
  const progress = { state: 'RUNNING', matched: await count(), done: 0, failed: 0, batch: [], isListed: false } as const
  return replays.create({ ...order, ...progress, acceptedAt, step: 0 })
}

/** When that does not work, the scan finds the replay all the same. */
async function wake({ replayQueue, log }: ReplayParts, { replayId, state, step }: Replay): Promise<void> {
  if (state === 'DONE') return
  try {
    await replayQueue.send({ replayId, step }, 0)
  } catch (cause) {
    log.warn('replay hint not sent, the scan will find the replay', { replayId, cause })
  }
}

/** @throws ServiceError `REPLAY_NOT_FOUND`, `UNAVAILABLE` */
export async function findReplay(replays: Replays, replayId: string) {
  const replay = await replays.find(replayId)
  if (replay) return replaySummary(replay)
  throw fail('REPLAY_NOT_FOUND')
}

/** What operators see of a replay. */
function replaySummary({ replayId, state, matched, done, failed }: Replay) {
  return { replayId, state, matched, done, failed }
}

/** What a replay looks for: events that have failed, received no later than it was accepted. */
export function failedUntil(filter: ReplayRequest['filter'], acceptedAt: Date): EventFilter {
  const isLater = filter.to === undefined || filter.to > acceptedAt
  return { ...filter, status: ['FAILED'], to: isLater ? acceptedAt : filter.to }
}

function contentOf({ filter, reason, ratePerSecond }: ReplayRequest): string {
  const { source, type, from, to, q, dead } = filter
  return JSON.stringify([source, type, from, to, q, dead, reason, ratePerSecond])
}
