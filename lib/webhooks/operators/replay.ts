import { fail } from '../../errors.ts'
import { listCursor, member } from '../../runtime/list-cursor.ts'
import type { Log } from '../../runtime/log.ts'
import { type Clock, toLocalDateTime } from '../../runtime/time.ts'
import { actsOn } from '../../trail/act.ts'
import { type HintQueue, scheduled } from '../../work/hints.ts'
import type { EventKey } from '../event.ts'
import type { EventFilter, Position } from './list.ts'

/** The states of a delivery that a replay may look for. */
export type DeliveryState = 'DEAD' | 'PENDING' | 'PARKED' | 'DELIVERED'

export interface ReplayFilter extends Omit<EventFilter, 'status'> {
  /** The state of the delivery at the destination; without it, also events that were never delivered there. */
  readonly delivery?: readonly DeliveryState[] | undefined
}

/** What a replay goes through, newest first. */
export interface ReplayedList {
  find(
    filter: EventFilter,
    after: Position | undefined,
    limit: number,
  ): Promise<{ readonly events: readonly EventKey[]; readonly next: Position | undefined }>
  count(filter: EventFilter): Promise<number>
}

/** The list for an order. */
export type ListOf = (order: Pick<ReplayRequest, 'destination' | 'filter'>) => ReplayedList

/** Which failed events to run again, or which events to deliver again, and how. */
export interface ReplayRequest {
  readonly replayId: string
  /** Where to deliver the events, whatever their status; without it they are run, and only FAILED events match. */
  readonly destination?: string | undefined
  readonly filter: ReplayFilter
  readonly reason?: string | undefined
  readonly ratePerSecond: number
}

export interface Replay extends ReplayRequest {
  readonly state: 'RUNNING' | 'DONE'
  /** Counted when the replay was accepted; at its end, the number of events that it ordered. */
  readonly matched: number
  /** As they were at the end of a replay that runs events; 0 before. */
  readonly done: number
  readonly failed: number
  /** The event after which it goes on; undefined at its beginning. */
  readonly position?: Position | undefined
  /** Whether every event is ordered. */
  readonly isListed: boolean
  readonly user: string
  /** The id of the user's account, which is notified of the end; absent where a token named none. */
  readonly orderedBy?: string | undefined
  /** Events received later are not included. */
  readonly acceptedAt: Date
  /** How often its cursor was noted. */
  readonly step: number
}

/** A message on the replay queue. It is only a hint: the stored replay is the truth. */
export interface ReplayHint {
  readonly replayId: string
  /** If the replay is at another step, the hint is dropped. */
  readonly step: number
  /** How often in a row the events had not been run yet; 0 when absent. */
  readonly looks?: number | undefined
}

/** What became of the events that a replay ordered. */
export interface ReplayCounts {
  /** Processed, or delivered. */
  readonly done: number
  /** Failed again, or dead. */
  readonly failed: number
  /** Not yet run, or not yet delivered. */
  readonly waiting: number
}

export interface ReplayCounter {
  /** Looks at each of them as it is now. @throws ServiceError `UNAVAILABLE` */
  count(replay: Pick<Replay, 'replayId' | 'destination'>): Promise<ReplayCounts>
}

/** Stores replays. All methods throw ServiceError `UNAVAILABLE`. */
export interface Replays {
  /** Stores a new replay. If the id exists, returns the stored replay unchanged. */
  create(replay: Replay): Promise<Replay>
  find(replayId: string): Promise<Replay | undefined>
}

export interface ReplayParts {
  readonly replays: Replays
  readonly counter: ReplayCounter
  readonly listOf: ListOf
  readonly replayQueue: HintQueue<ReplayHint>
  /** Whether a destination of that name is configured. */
  readonly isDestination: (name: string) => boolean
  readonly clock: Clock
  readonly log: Log
}

export interface ReplayCommand extends ReplayRequest {
  readonly user: string
  readonly orderedBy?: string | undefined
  readonly dryRun: boolean
}

type Counted = { readonly kind: 'counted'; readonly matched: number }
type Accepted = { readonly kind: 'accepted' } & Awaited<ReturnType<typeof replaySummary>>

/**
 * Counts the matching events, or starts the replay. An existing replay continues unchanged.
 * @throws ServiceError `DESTINATION_NOT_FOUND`, `REPLAY_EXISTS` if the id belongs to a replay of something else,
 * `UNAVAILABLE`
 */
export async function startReplay(
  parts: ReplayParts,
  { dryRun, ...order }: ReplayCommand,
): Promise<Counted | Accepted> {
  const { destination, replayId } = order
  actsOn({ type: 'replay', id: replayId })
  if (destination !== undefined && !parts.isDestination(destination)) throw fail('DESTINATION_NOT_FOUND')
  const acceptedAt = parts.clock.now()
  const count = () => parts.listOf(order).count(matchingUntil(order, acceptedAt))
  if (dryRun) return { kind: 'counted', matched: await count() }
  const replay = (await parts.replays.find(replayId)) ?? (await create(parts.replays, order, acceptedAt, count))
  if (contentOf(replay) !== contentOf(order)) throw fail('REPLAY_EXISTS')
  await wake(parts, replay)
  return { kind: 'accepted', ...(await replaySummary(replay, parts.counter)) }
}

async function create(
  replays: Replays,
  order: Omit<ReplayCommand, 'dryRun'>,
  acceptedAt: Date,
  count: () => Promise<number>,
): Promise<Replay> {
  const progress = { state: 'RUNNING', matched: await count(), done: 0, failed: 0, isListed: false } as const
  return replays.create({ ...order, ...progress, acceptedAt, step: 0 })
}

/** Sends the first hint. */
async function wake({ replayQueue, log }: ReplayParts, { replayId, state, step }: Replay): Promise<void> {
  if (state !== 'DONE') await scheduled(replayQueue.send({ replayId, step }, 0), log, { replayId })
}

/** @throws ServiceError `REPLAY_NOT_FOUND`, `UNAVAILABLE` */
export async function findReplay({ replays, counter }: Pick<ReplayParts, 'replays' | 'counter'>, replayId: string) {
  const replay = await replays.find(replayId)
  if (replay) return replaySummary(replay, counter)
  throw fail('REPLAY_NOT_FOUND')
}

/** The progress of a replay, as operators see it: deliveries go on after its end. @throws ServiceError `UNAVAILABLE` */
async function replaySummary(replay: Replay, counter: ReplayCounter) {
  const { replayId, state, matched, destination } = replay
  const isFinal = state === 'DONE' && destination === undefined
  const { done, failed } = isFinal ? replay : await counter.count(replay)
  return { replayId, state, matched, done, failed }
}

/** The events that take part in a replay: they were received no later than the replay was accepted. */
export function matchingUntil(
  { filter, destination }: Pick<ReplayRequest, 'filter' | 'destination'>,
  acceptedAt: Date,
): EventFilter {
  const isLater = filter.to === undefined || filter.to > acceptedAt
  const status = destination === undefined ? (['FAILED'] as const) : undefined
  const { delivery: _delivery, ...ofEvents } = filter
  return { ...ofEvents, status, to: isLater ? acceptedAt : filter.to }
}

function contentOf({ filter, reason, ratePerSecond, destination }: ReplayRequest): string {
  const { source, type, from, to, q, dead, delivery } = filter
  return JSON.stringify([source, type, from, to, q, dead, delivery, reason, ratePerSecond, destination])
}

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
