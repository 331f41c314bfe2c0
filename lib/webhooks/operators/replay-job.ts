import * as z from 'zod/mini'
import { settleAll } from '../../runtime/async.ts'
import type { Log } from '../../runtime/log.ts'
import { finalRefusal } from '../../runtime/message-text.ts'
import type { Metrics } from '../../runtime/metrics.ts'
import type { Clock } from '../../runtime/time.ts'
import { type HintQueue, readQueued, received } from '../../work/hints.ts'
import type { EventKey } from '../event.ts'
import { type Announcer, replayEnd } from '../live/announcement.ts'
import { type ScanParts, type ScanResult, scanEvents } from '../retry/scan.ts'
import type { Position } from './list.ts'
import {
  type ListOf,
  matchingUntil,
  type Replay,
  type ReplayCounter,
  type ReplayCounts,
  type ReplayHint,
  type Replays,
} from './replay.ts'
import type { RetryCommand } from './reset.ts'

/** How far a replay is in its list. */
export interface ReplayCursor {
  /** The event after which it goes on; undefined at the beginning, and at the end. */
  readonly position?: Position | undefined
  /** Whether every event is ordered. */
  readonly isListed: boolean
}

/** The progress of replays: each call is one conditional write. All throw ServiceError `UNAVAILABLE`. */
export interface ReplayRuns {
  /**
   * Notes a cursor, and makes one more step of it. The scan looks again at `wakeAt`.
   * @param step the last one
   * @returns false if another worker was first, or the replay is done
   */
  note(hint: ReplayHint, cursor: ReplayCursor, wakeAt: Date): Promise<boolean>
  /** RUNNING → DONE, with the counts at its end; false as for `note`. */
  finish(hint: ReplayHint, counts: Pick<Replay, 'matched' | 'done' | 'failed'>): Promise<boolean>
  /** The replays whose next look was due by then. */
  waiting(now: Date): Promise<readonly ReplayHint[]>
}

export type ReplayOrder = RetryCommand & { readonly replayId: string }

/**
 * Orders a run or a delivery of an event, once for each replay, however often it is called.
 * @throws ServiceError `UNAVAILABLE`
 */
export type OrderEvent = (
  key: EventKey,
  order: ReplayOrder,
  replay: Pick<Replay, 'destination' | 'filter'>,
) => Promise<void>

export interface ReplayJobParts {
  readonly replays: Pick<Replays, 'find'>
  readonly runs: ReplayRuns
  readonly counter: ReplayCounter
  readonly listOf: ListOf
  readonly order: OrderEvent
  readonly queue: HintQueue<ReplayHint>
  readonly clock: Clock
  readonly announcer: Announcer
  readonly metrics: Pick<Metrics, 'count'>
  readonly log: Log
  readonly wait: (milliseconds: number) => Promise<unknown>
}

/** So many events are ordered before the cursor is noted, but no more than ten seconds take. */
const PAGE = 100
const SECONDS_PER_PAGE = 10

/** The events of a group are ordered together. */
const GROUPS_PER_SECOND = 5
const MAXIMUM_GROUP = 25

/** How long a cursor may stay where it is before the scan sends another hint, in milliseconds. */
const PATIENCE = 60_000

/** The time that must be left when a page begins, in milliseconds. */
const RESERVE = 15_000

/** How soon to look again whether the events have been run, in milliseconds: twice as late each time. */
const [FIRST_LOOK, LAST_LOOK] = [1000, 60_000]

/** After so many looks without an end the scan goes on: half an hour, longer than all attempts if each crashes. */
const MAXIMUM_LOOKS = 35

/** How a message ended: the replay is done, another worker has it, the next message was sent, or was not sent. */
type JobEnd = 'done' | 'lost' | 'passed' | 'stopped' | 'dropped'

const count = z.int().check(z.gte(0))
const replayHint = z.object({ replayId: z.string(), step: count, looks: z.optional(count) })

/** @throws Error for a message that is no hint; the error does not contain its text */
export function readReplayHint(message: string): ReplayHint {
  return readQueued(replayHint, message, 'a message on the replay queue is no hint')
}

/**
 * Orders the events of a replay, and ends it. The cursor is in the row; a message names its step. A message that comes
 * twice, or a worker that dies anywhere, orders no event twice: the order of each is a conditional write of its own.
 */
export function createReplayJob(parts: ReplayJobParts) {
  const { replays, runs, counter, listOf, order, queue, clock, announcer, metrics, log, wait } = parts

  /** Orders a page at most at the replay's rate; the first group waits, too, since a worker may have died just now. */
  async function orderAll(replay: Replay, events: readonly EventKey[]): Promise<void> {
    const { replayId, user, reason, ratePerSecond } = replay
    const why = reason === undefined ? `replay ${replayId}` : `replay ${replayId}: ${reason}`
    const size = Math.min(MAXIMUM_GROUP, Math.ceil(ratePerSecond / GROUPS_PER_SECOND))
    let last = clock.now().getTime()
    for (let start = 0; start < events.length; start += size) {
      const group = events.slice(start, start + size)
      await wait(Math.max(0, last + (size * 1000) / ratePerSecond - clock.now().getTime()))
      const given = { at: clock.now(), user, reason: why, replayId }
      last = given.at.getTime()
      await settleAll(group.map(({ source, eventId }) => order({ source, eventId }, given, replay)))
    }
  }

  async function orderPage(replay: Replay): Promise<ReplayCursor> {
    const size = Math.min(PAGE, replay.ratePerSecond * SECONDS_PER_PAGE)
    const { events, next } = await listOf(replay).find(matchingUntil(replay, replay.acceptedAt), replay.position, size)
    await orderAll(replay, events)
    return { position: next, isListed: next === undefined }
  }

  async function work(replay: Replay, looks: number, deadline: Date): Promise<JobEnd> {
    if (replay.isListed) return conclude(replay, looks)
    const cursor = await orderPage(replay)
    const now = clock.now().getTime()
    if (!(await runs.note(replay, cursor, new Date(now + PATIENCE)))) return 'lost'
    const moved = { ...replay, ...cursor, step: replay.step + 1 }
    return !cursor.isListed && now + RESERVE >= deadline.getTime() ? send(moved, 0, 0) : work(moved, 0, deadline)
  }

  /** What was ordered to be run is waited for; deliveries have days. */
  async function conclude(replay: Replay, looks: number): Promise<JobEnd> {
    const counts = await counter.count(replay)
    if (replay.destination === undefined && counts.waiting > 0) return lookAgain(replay, looks)
    const end = { matched: sumOf(counts), done: counts.done, failed: counts.failed }
    if (!(await runs.finish(replay, end))) return 'lost'
    const notice = replayEnd({ ...replay, ...end }, clock.now())
    if (notice) announcer.announce(notice)
    return 'done'
  }

  /** A function that feeds its own queue must end the chain itself; the scan starts another. */
  async function lookAgain(replay: Replay, looks: number): Promise<JobEnd> {
    const delay = Math.min(LAST_LOOK, FIRST_LOOK * 2 ** Math.min(looks, 10))
    if (!(await runs.note(replay, replay, new Date(clock.now().getTime() + delay + PATIENCE)))) return 'lost'
    if (looks < MAXIMUM_LOOKS) return send({ ...replay, step: replay.step + 1 }, looks + 1, delay)
    log.error('replay stopped, the scan will wake it', { replayId: replay.replayId, step: replay.step, looks })
    metrics.count('LoopStopped')
    return 'stopped'
  }

  async function send({ replayId, step }: ReplayHint, looks: number, delayMs: number): Promise<JobEnd> {
    const hint = { replayId, step, ...(looks > 0 && { looks }) }
    return (await finalRefusal(queue.send(hint, delayMs))) === undefined ? 'passed' : 'stopped'
  }

  async function receive(hint: ReplayHint, deadline: Date): Promise<JobEnd> {
    const replay = await replays.find(hint.replayId)
    const isMine = replay?.state === 'RUNNING' && replay.step === hint.step
    const outcome = isMine ? await work(replay, hint.looks ?? 0, deadline) : 'dropped'
    log.info('replay', { ...hint, outcome })
    return outcome
  }

  return {
    /**
     * Handles a message of the replay queue.
     * @throws ServiceError `UNAVAILABLE`, or Error for a message that is no hint
     */
    receive(message: string, deadline: Date): Promise<JobEnd> {
      return received('replay queue', log, async () => receive(readReplayHint(message), deadline))
    },
  }
}

function sumOf({ done, failed, waiting }: ReplayCounts): number {
  return done + failed + waiting
}

type ReplayScanParts = Pick<ReplayJobParts, 'runs' | 'queue' | 'clock' | 'metrics' | 'log'>

/**
 * Sends a hint for each waiting event and each waiting replay. Both scans run to their end, even if one fails.
 * @throws the error of the scan that failed, once both have ended
 */
export async function scan(
  events: ScanParts,
  replays: Pick<ReplayScanParts, 'runs' | 'queue' | 'clock'>,
  deadline: Date,
): Promise<ScanResult> {
  const failed = (part: string) => (cause: unknown) => {
    events.log.error('retry scan failed', { part, cause })
    throw cause
  }
  const [swept] = await settleAll([
    scanEvents(events, deadline).catch(failed('events')),
    wakeReplays({ ...replays, metrics: events.metrics, log: events.log }).catch(failed('replays')),
  ])
  return swept
}

/** Sends a hint for each replay that no worker handles any more. @throws ServiceError `UNAVAILABLE` */
export async function wakeReplays({ runs, queue, clock, metrics, log }: ReplayScanParts): Promise<void> {
  async function wake(hint: ReplayHint): Promise<void> {
    const refusal = await finalRefusal(queue.send(hint, 0))
    if (refusal === undefined) return
    log.error('a replay waits, its hint was refused', { ...hint, refusal })
    metrics.count('MessageRefused')
  }

  await settleAll((await runs.waiting(clock.now())).map(wake))
}
