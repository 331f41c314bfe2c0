import { CursorRefused, type Notices } from './feed.ts'
import { StageAway } from './stage.ts'

/** The pauses between tries while the service is away, in milliseconds; the last one repeats. */
const PAUSES = [250, 500, 1000, 2000, 5000, 10_000] as const

/** The longest pause that a service may ask for, in milliseconds. */
const LONGEST_MS = 300_000

interface OutageParts {
  readonly sleep: (milliseconds: number) => Promise<unknown>
  /** Called once for each outage. */
  readonly away: (reason: string) => void
  readonly back: () => void
}

export type Outage = ReturnType<typeof stageOutage>

/** Waits while the service is away, and reports each outage once. */
export function stageOutage({ sleep, away, back }: OutageParts) {
  let failures = 0

  /** Waits after a failure, longer after each in a row. @throws every error that is no StageAway */
  async function pause(failure: unknown): Promise<void> {
    if (!(failure instanceof StageAway)) throw failure
    // A connection that ends, as each does now and then, is no outage.
    if (failures === 1) away(failure.message)
    const usual = PAUSES[Math.min(failures, PAUSES.length - 1)] ?? PAUSES[0]
    failures++
    await sleep(Math.min(LONGEST_MS, Math.max(usual, failure.retryAfter ?? 0)))
  }

  /** The service answered. */
  function over(): void {
    if (failures > 1) back()
    failures = 0
  }

  return {
    pause,
    over,
    /** Repeats the work until it succeeds. @throws every error that is no StageAway */
    async outlast<T>(work: () => Promise<T>): Promise<T> {
      for (;;) {
        try {
          const result = await work()
          over()
          return result
        } catch (error) {
          await pause(error)
        }
      }
    },
  }
}

interface FollowParts {
  readonly notices: Notices
  /** The list of events, for the rest of the run once the stream refuses the cursor. */
  readonly polled: Notices
  readonly outage: Outage
  /** Called when the cursor is refused. */
  readonly refused: () => void
}

/**
 * Changes from a cursor on, without end. A notice counts as taken when the next one is asked for: after a failure
 * everything that was not taken is sent again.
 */
export function follow({ notices, polled, outage, refused }: FollowParts): Notices {
  let source = notices

  /** @throws any error that does not pass by itself */
  async function outlive(failure: unknown): Promise<void> {
    if (!(failure instanceof CursorRefused)) return outage.pause(failure)
    refused()
    source = polled
  }

  return async function* (cursor) {
    for (let last = cursor; ; ) {
      try {
        for await (const notice of source(last)) {
          outage.over()
          yield notice
          last = notice.cursor
        }
      } catch (error) {
        await outlive(error)
      }
    }
  }
}
