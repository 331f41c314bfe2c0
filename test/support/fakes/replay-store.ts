import { unavailable } from '../../../lib/errors.ts'
import type { Replay, ReplayHint, ReplayList, ReplayPosition, Replays } from '../../../lib/webhooks/operators/replay.ts'
import type { ReplayRuns } from '../../../lib/webhooks/operators/replay-job.ts'
import type { HintQueue } from '../../../lib/work/hints.ts'

interface Row {
  readonly replay: Replay
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
    note: async (hint, { position, isListed }, wakeAt) => {
      const replay = this.#present(hint)
      if (!replay) return false
      const moved = { ...replay, position: position ?? replay.position, isListed, step: replay.step + 1 }
      this.rows.set(hint.replayId, { replay: moved, wakeAt })
      return true
    },
    finish: async (hint, counts) => {
      const replay = this.#present(hint)
      if (!replay) return false
      const done = { ...replay, ...counts, state: 'DONE', step: replay.step + 1 } as const
      this.rows.set(hint.replayId, { replay: done, wakeAt: new Date(Number.NaN) })
      return true
    },
    waiting: async (now) =>
      [...this.rows.values()]
        .filter(({ replay, wakeAt }) => replay.state === 'RUNNING' && wakeAt <= now)
        .map(({ replay: { replayId, step } }) => ({ replayId, step })),
  }

  readonly replayQueue: HintQueue<ReplayHint> = {
    send: async (hint, delayMs) => {
      if (this.isQueueDown) throw unavailable(new Error('the queue is down'))
      this.queue.push({ hint, delayMs })
    },
  }

  #present({ replayId, step }: ReplayHint): Replay | undefined {
    const replay = this.rows.get(replayId)?.replay
    return replay?.state === 'RUNNING' && replay.step === step ? replay : undefined
  }
}

function byAcceptance(one: ReplayPosition, other: ReplayPosition): number {
  const later = other.acceptedAt.getTime() - one.acceptedAt.getTime()
  return later || (one.replayId < other.replayId ? 1 : -Number(one.replayId > other.replayId))
}
