import type { Clock } from '../../runtime/clock.ts'
import type { Ids } from '../../runtime/ids.ts'
import type { Log } from '../../runtime/log.ts'
import { finalRefusal } from '../../runtime/message-text.ts'
import type { Metrics } from '../../runtime/metrics.ts'
import type { Audit } from '../audit.ts'
import { type EventHead, type EventKey, hintOf, type RetryHint } from '../event.ts'
import type { Announcer } from '../live/announcement.ts'
import { replayEnd } from '../live/order-end.ts'
import type { HintOutcome } from '../retry/worker.ts'
import type { EventList } from './list.ts'
import { matchingUntil, type Replay, type ReplayHint, type ReplayProgress, type ReplayQueue } from './replay.ts'
import { readReplayHint } from './replay-hint.ts'
import type { OperatorStore, RetryCommand } from './reset.ts'

/** The right to run one step of a replay until the lease expires. */
export interface ReplayClaim extends ReplayHint {
  readonly owner: string
  readonly now: Date
  readonly leaseUntil: Date
}

/** How workers share a replay: each call is one conditional write. All throw ServiceError `UNAVAILABLE`. */
export interface ReplayRuns {
  /** Claims the replay if it is RUNNING at that step and no other worker holds its lease. */
  claim(claim: ReplayClaim): Promise<Replay | undefined>
  /** Writes the progress for the claim's owner; false when another worker has taken the replay over. */
  save(claim: ReplayClaim, progress: ReplayProgress): Promise<boolean>
  /**
   * Ends the step. A worker that receives the next hint may continue; without one, the scan looks again at `wakeAt`.
   */
  pass(claim: ReplayClaim, wakeAt: Date): Promise<boolean>
  /** The replays whose next look was due by then. */
  waiting(now: Date): Promise<readonly ReplayHint[]>
}

/**
 * Orders the delivery of an event, once for each replay.
 * @throws ServiceError `UNAVAILABLE`
 */
export type DeliverEvent = (
  key: EventKey,
  destination: string,
  order: RetryCommand & { readonly replayId: string },
) => Promise<Rest>

export interface ReplayStepParts {
  readonly runs: ReplayRuns
  readonly list: EventList
  readonly operators: OperatorStore
  /** Runs a failed event if it is due. */
  readonly attempt: (hint: RetryHint) => Promise<HintOutcome>
  readonly deliver: DeliverEvent
  readonly queue: ReplayQueue
  readonly clock: Clock
  readonly ids: Ids
  readonly audit: Audit
  readonly announcer: Announcer
  readonly metrics: Pick<Metrics, 'count'>
  readonly log: Log
  readonly wait: (milliseconds: number) => Promise<unknown>
}

/** How long a claim holds, in milliseconds: longer than a batch takes with a slow store. */
const LEASE = 30_000

/** How long a hint may travel before the scan sends another, in milliseconds. */
const TRAVEL = 30_000

/** The time that must be left in a step when its last batch begins, in milliseconds. */
const RESERVE = 10_000

/** How soon to look again at events that another worker runs, or ran when it crashed, in milliseconds. */
const RESTLESS = 5000

/** Maximum number of steps without progress: twenty minutes, longer than all attempts of one reset if each crashes. */
const MAXIMUM_IDLE = 240

const MAXIMUM_BATCH = 50
const SECONDS_PER_BATCH = 2

/** A batch runs in small groups; the events of one group start together. */
const GROUPS_PER_SECOND = 5
const MAXIMUM_GROUP = 25

/** How a step ended: the replay is done, another worker has it, the next step's hint was sent, or was not sent. */
type StepEnd = 'done' | 'lost' | 'passed' | 'stopped'

/**
 * The result for one event: `done` and `failed` are counted; `restless` means that it has no final status yet;
 * `unmeant` that the destination does not subscribe to it.
 */
export type Rest = 'done' | 'failed' | 'restless' | 'unmeant'

const RESTS = {
  processed: 'done',
  failed: 'failed',
  dead: 'failed',
  postponed: 'restless',
  dropped: 'restless',
  stopped: 'restless',
} as const satisfies Record<HintOutcome, Rest>

/** Executes a replay step by step. A step's hint may arrive any number of times, and a step may crash anywhere. */
export function createReplaySteps({
  runs,
  list,
  operators,
  attempt,
  deliver,
  queue,
  clock,
  ids,
  audit,
  announcer,
  metrics,
  log,
  wait,
}: ReplayStepParts) {
  async function replayOne({ replayId, user, reason, destination }: Replay, key: EventKey): Promise<Rest> {
    const why = reason === undefined ? `replay ${replayId}` : `replay ${replayId}: ${reason}`
    const order = { at: clock.now(), user, reason: why, replayId }
    return destination === undefined ? runOne(key, order) : deliver(key, destination, order)
  }

  /** Resets an event, once per replay, and runs it. An event that was reset before counts by its current status. */
  async function runOne(key: EventKey, order: Parameters<DeliverEvent>[2]): Promise<Rest> {
    const { replayId } = order
    const { kind, event } = await operators.reset(key, order)
    if (event === undefined || event.payloadDeletedAt) return 'failed'
    if (kind === 'reset') audit.decided('replayed', event)
    return isYetToRun(event, replayId) ? RESTS[await attempt(hintOf(event))] : restOf(event, replayId)
  }

  /** Runs the batch at most at the replay's rate. */
  async function runBatch(replay: Replay): Promise<readonly Rest[]> {
    const { batch, ratePerSecond } = replay
    const size = Math.min(MAXIMUM_GROUP, Math.ceil(ratePerSecond / GROUPS_PER_SECOND))
    const rests: Rest[] = []
    for (let start = 0; start < batch.length; start += size) {
      const group = batch.slice(start, start + size)
      const next = clock.now().getTime() + (group.length * 1000) / ratePerSecond
      rests.push(...(await Promise.all(group.map((key) => replayOne(replay, key)))))
      await wait(Math.max(0, next - clock.now().getTime()))
    }
    return rests
  }

  /** Executes and counts the current batch, and finds the next one. */
  async function advance(replay: Replay): Promise<{ readonly progress: ReplayProgress; readonly isRestless: boolean }> {
    const rests = await runBatch(replay)
    const restless = replay.batch.filter((_, index) => rests[index] === 'restless')
    const done = replay.done + rests.filter((rest) => rest === 'done').length
    const failed = replay.failed + rests.filter((rest) => rest === 'failed').length
    const counted = { ...progressOf(replay), done, failed, batch: restless }
    if (restless.length > 0) return { progress: counted, isRestless: true }
    if (replay.isListed) return { progress: { ...counted, state: 'DONE', matched: done + failed }, isRestless: false }
    const size = Math.min(MAXIMUM_BATCH, replay.ratePerSecond * SECONDS_PER_BATCH)
    const { events, next } = await list.find(matchingUntil(replay, replay.acceptedAt), replay.position, size)
    const batch = events.map(({ source, eventId }) => ({ source, eventId }))
    return { progress: { ...counted, batch, position: next, isListed: next === undefined }, isRestless: false }
  }

  /** Executes batch after batch until the replay is done, is lost to another worker, or must be passed on. */
  async function work(claim: ReplayClaim, replay: Replay, deadline: Date): Promise<StepEnd> {
    const { progress, isRestless } = await advance(replay)
    const idle = idleAfter(claim, replay, progress, isRestless)
    const now = clock.now().getTime()
    if (!(await runs.save({ ...claim, leaseUntil: new Date(now + LEASE) }, progress))) return 'lost'
    if (progress.state === 'DONE') return conclude({ ...replay, ...progress })
    const isTimeUp = now + RESERVE >= deadline.getTime()
    if (isRestless || isTimeUp) return passOn({ ...claim, idle }, isRestless ? RESTLESS : 0)
    return work({ ...claim, idle }, { ...replay, ...progress }, deadline)
  }

  function conclude(replay: Replay): StepEnd {
    const end = replayEnd(replay, clock.now())
    if (end) announcer.announce(end)
    return 'done'
  }

  /** A function that feeds its own queue must end the chain itself; the scan starts another. */
  async function passOn({ idle, ...claim }: ReplayClaim, delayMs: number): Promise<StepEnd> {
    if (!(await runs.pass(claim, new Date(clock.now().getTime() + delayMs + TRAVEL)))) return 'lost'
    if (idle !== undefined && idle > MAXIMUM_IDLE) {
      log.error('replay stopped, the scan will wake it', { replayId: claim.replayId, step: claim.step, idle })
      metrics.count('LoopStopped')
      return 'stopped'
    }
    const refusal = await finalRefusal(queue.send({ replayId: claim.replayId, step: claim.step + 1, idle }, delayMs))
    return refusal === undefined ? 'passed' : 'stopped'
  }

  async function step(hint: ReplayHint, deadline: Date): Promise<StepEnd | 'dropped'> {
    const now = clock.now()
    const claim = { ...hint, owner: ids.unique(), now, leaseUntil: new Date(now.getTime() + LEASE) }
    const replay = await runs.claim(claim)
    const outcome = replay ? await work(claim, replay, deadline) : 'dropped'
    log.info('replay step', { ...hint, outcome })
    return outcome
  }

  return {
    /**
     * Handles a message of the replay queue.
     * @throws ServiceError `UNAVAILABLE`, or Error for a message that is no hint
     */
    async receive(message: string, deadline: Date): Promise<StepEnd | 'dropped'> {
      try {
        return await step(readReplayHint(message), deadline)
      } catch (cause) {
        log.error('a message stays on the replay queue', { cause })
        throw cause
      }
    },
  }
}

/** Whether this replay has reset the event, and the event has neither been run nor given up since. */
function isYetToRun({ status, replayId, attempts, nextRetryAt }: EventHead, mine: string): boolean {
  return status === 'FAILED' && replayId === mine && attempts === 0 && nextRetryAt !== undefined
}

function restOf({ status, replayId }: EventHead, mine: string): Rest {
  if (status === 'PROCESSED') return 'done'
  return status === 'FAILED' && replayId === mine ? 'failed' : 'restless'
}

/** The idle count plus one if no event of the batch has a final status; undefined otherwise. */
function idleAfter({ idle = 0 }: ReplayClaim, before: ReplayProgress, after: ReplayProgress, isRestless: boolean) {
  return isRestless && after.batch.length === before.batch.length ? idle + 1 : undefined
}

function progressOf({ state, matched, done, failed, batch, position, isListed }: Replay): ReplayProgress {
  return { state, matched, done, failed, batch, position, isListed }
}
