import { CursorRefused, type Notices } from './notice.ts'
import type { Outage } from './outage.ts'

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
