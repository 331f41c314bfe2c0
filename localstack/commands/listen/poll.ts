import { firstIdAt, millisecondsOf } from '../../../lib/runtime/ids.ts'
import { toLocalDateTime } from '../../../lib/runtime/time.ts'
import { SETTLING_MS, WatchCursor } from '../../../lib/webhooks/live/cursor.ts'
import type { HeardNotice, Notices } from './feed.ts'
import type { Outage } from './outage.ts'
import type { NamedEvent, StageApi } from './stage.ts'

/** How far behind the service's clock everything is listed, in milliseconds: `Date` has no fractions. */
const LAG_MS = 2 * SETTLING_MS

/** The time of receipt may be a little before that of the id. */
const SLACK_MS = 1000

/** The pauses between two looks that find nothing, in milliseconds; the last one repeats. */
const PAUSES = [1000, 2000, 5000, 10_000] as const

const PAGE = 200

/** The longest and the shortest span of time that is asked for at once, in milliseconds. */
const SPAN = { first: 3_600_000, least: 60_000 } as const

interface PollParts {
  readonly stage: Pick<StageApi, 'page'>
  /** Only events of this source. */
  readonly source: string | undefined
  readonly outage: Outage
  readonly sleep: (milliseconds: number) => Promise<unknown>
}

/** Looks at the list again and again, less often while it stays the same. */
export function pollNotices(parts: PollParts): Notices {
  return async function* (cursor) {
    let last = cursor
    for (let quiet = 0; ; quiet++) {
      for await (const notice of lookOnce(parts)(last)) {
        if (notice.event) quiet = 0
        last = notice.cursor
        yield notice
      }
      await parts.sleep(PAUSES[Math.min(quiet, PAUSES.length - 1)] ?? PAUSES[0])
    }
  }
}

/**
 * The events that were received since the cursor, the oldest first, and at last a cursor from which the next look
 * overlaps with this one. Changes of earlier events are not in the list.
 */
function lookOnce(parts: PollParts): Notices {
  return async function* (cursor): AsyncGenerator<HeardNotice> {
    const progress = WatchCursor.read(cursor)
    if (!progress) throw new Error('a look begins with a cursor')
    for await (const { events, complete } of spans(parts, millisecondsOf(progress.settled) - SLACK_MS)) {
      yield* newsIn(events, progress, complete)
    }
    yield { event: undefined, cursor: progress.cursor }
  }
}

function* newsIn(events: readonly NamedEvent[], progress: WatchCursor, complete: bigint): Generator<HeardNotice> {
  for (const event of events.toSorted(byId)) {
    if (progress.note({ ...event, changeId: event.id }, complete)) yield { event, cursor: progress.cursor }
  }
  progress.settle(complete)
}

interface Span {
  readonly events: readonly NamedEvent[]
  /** No event up to this position will show up later. */
  readonly complete: bigint
}

/** The time from a moment, in milliseconds, to now, piece by piece, so that no piece is too large to hold. */
async function* spans(parts: PollParts, start: number): AsyncGenerator<Span> {
  const { stage, outage } = parts
  let now = (await outage.outlast(() => stage.page({ limit: '1' }))).at.getTime()
  let width: number = SPAN.first
  let from = start
  for (let to: number | undefined = start; to !== undefined; from = to ?? from) {
    to = from + width < now - LAG_MS ? from + width : undefined
    const { events, pages, at } = await listed(parts, from, to)
    now = at.getTime()
    yield { events, complete: firstIdAt(Math.max(0, Math.min(to ?? now, now - LAG_MS) - SLACK_MS)) }
    width = pages === 1 ? width * 2 : Math.max(SPAN.least, width / 2)
  }
}

/** Everything in a span of time, and when the service listed the first page of it. */
async function listed({ stage, outage, source }: PollParts, from: number, to: number | undefined) {
  const times = { from: localTime(from), ...(to !== undefined && { to: localTime(to) }) }
  const query = { limit: `${PAGE}`, ...times, ...(source !== undefined && { source }) }
  const ask = (more: object = {}) => outage.outlast(() => stage.page({ ...query, ...more }))
  const first = await ask()
  const events = [...first.events]
  let pages = 1
  for (let cursor = first.nextCursor; cursor !== null; pages++) {
    const page = await ask({ cursor })
    events.push(...page.events)
    cursor = page.nextCursor
  }
  return { events, pages, at: first.at }
}

function localTime(milliseconds: number): string {
  return toLocalDateTime(new Date(Math.max(0, milliseconds)))
}

function byId({ id: one }: NamedEvent, { id: other }: NamedEvent): number {
  return BigInt(one) < BigInt(other) ? -1 : 1
}
