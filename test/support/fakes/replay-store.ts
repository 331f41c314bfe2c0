import { unavailable } from '../../../lib/errors.ts'
import type { Replay, ReplayHint, ReplayQueue, Replays } from '../../../lib/webhooks/operators/replay.ts'
import type { ReplayClaim, ReplayRuns } from '../../../lib/webhooks/operators/replay-steps.ts'
import type { ReplayList, ReplayPosition } from '../../../lib/webhooks/operators/replays.ts'

interface Row {
  readonly replay: Replay
  readonly owner?: string
  readonly leaseUntil?: Date | undefined
  readonly wakeAt: Date
}

/** Replays and their queue in memory, under the conditions of the DynamoDB and SQS adapters. */
export class MemoryReplays {
  readonly rows = new Map<string, Row>()
  readonly queue: { readonly hint: ReplayHint; readonly delayMs: number }[] = []
  isQueueDown = false

  readonly replays: Replays = {
    create: async (replay) => {
      const present = this.rows.get(replay.replayId)
      if (present) return present.replay
      this.rows.set(replay.replayId, { replay, wakeAt: replay.acceptedAt })
      return replay
    },
    find: async (replayId) => this.rows.get(replayId)?.replay,
  }

  readonly list: ReplayList = {
    list: async (after, limit) => {
      const all = [...this.rows.values()].map(({ replay }) => replay).sort(byAcceptance)
      const left = all.filter((replay) => after === undefined || byAcceptance(replay, after) > 0)
      const page = left.slice(0, limit)
      return { replays: page, next: left.length > limit ? page.at(-1) : undefined }
    },
  }

  readonly runs: ReplayRuns = {
    claim: async (claim) => {
      const row = this.rows.get(claim.replayId)
      if (!row || row.replay.state === 'DONE' || row.replay.step !== claim.step || !isFree(row, claim)) return undefined
      const { owner, leaseUntil } = claim
      this.rows.set(claim.replayId, { ...row, owner, leaseUntil, wakeAt: leaseUntil })
      return row.replay
    },
    save: async (claim, progress) => {
      const row = this.#mine(claim)
      if (!row) return false
      const { owner, leaseUntil } = claim
      const replay = { ...row.replay, ...progress, position: progress.position ?? row.replay.position }
      this.rows.set(claim.replayId, { replay, owner, leaseUntil, wakeAt: leaseUntil })
      return true
    },
    pass: async (claim, wakeAt) => {
      const row = this.#mine(claim)
      if (!row) return false
      const replay = { ...row.replay, step: claim.step + 1 }
      this.rows.set(claim.replayId, { ...row, replay, leaseUntil: undefined, wakeAt })
      return true
    },
    waiting: async (now) =>
      [...this.rows.values()]
        .filter(({ replay, wakeAt }) => replay.state === 'RUNNING' && wakeAt <= now)
        .map(({ replay: { replayId, step } }) => ({ replayId, step })),
  }

  readonly replayQueue: ReplayQueue = {
    send: async (hint, delayMs) => {
      if (this.isQueueDown) throw unavailable(new Error('the queue is down'))
      this.queue.push({ hint, delayMs })
    },
  }

  #mine({ replayId, step, owner }: ReplayClaim): Row | undefined {
    const row = this.rows.get(replayId)
    return row?.owner === owner && row.replay.step === step ? row : undefined
  }
}

function byAcceptance(one: ReplayPosition, other: ReplayPosition): number {
  const later = other.acceptedAt.getTime() - one.acceptedAt.getTime()
  return later || (one.replayId < other.replayId ? 1 : -Number(one.replayId > other.replayId))
}

function isFree({ owner, leaseUntil }: Row, claim: ReplayClaim): boolean {
  return leaseUntil === undefined || leaseUntil <= claim.now || owner === claim.owner
}
