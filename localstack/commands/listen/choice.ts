import { matchesGlob } from '../../../lib/deliver/match.ts'
import { createRecent } from '../../../lib/runtime/cache.ts'
import { millisecondsOf } from '../../../lib/runtime/ids.ts'
import { fromLocalDateTime } from '../../../lib/runtime/time.ts'
import type { FetchedEvent, NamedEvent } from './stage.ts'

/**
 * Whether to forward an event: the first time, again because an operator ordered it, or not, and why; the reason is
 * empty when there is nothing to report.
 */
type Verdict =
  | { readonly kind: 'first' | 'again'; readonly order: RunOrder | undefined }
  | { readonly kind: 'no'; readonly reason: string }

/** What a listener knows of the events that it has seen. */
export type Choice = ReturnType<typeof createChoice>

interface Wanted {
  /** None means every source. */
  readonly sources: readonly string[]
  /** None means every type. */
  readonly types: readonly string[]
  /** The position at which the run begins. */
  readonly start: bigint
}

/** The number of events that a run remembers: a forgotten one may be forwarded twice. */
const REMEMBERED = 20_000

/** The time of the last order for each event that was forwarded, in milliseconds; 0 when there was none. */
const NO_ORDER = 0

export function createChoice({ sources, types, start }: Wanted) {
  const forwarded = createRecent<number>(REMEMBERED)
  const reported = createRecent<true>(REMEMBERED)
  const beforeStart = millisecondsOf(start) - 1

  /** The reason, or an empty text if it was reported for this event before. */
  function once(id: string, reason: string): string {
    if (reported.get(id)) return ''
    reported.set(id, true)
    return reason
  }

  function kindOf({ id }: NamedEvent, known: number | undefined, order: RunOrder | undefined): Verdict['kind'] {
    if (known === undefined && BigInt(id) > start) return 'first'
    return order !== undefined && order.at > (known ?? beforeStart) ? 'again' : 'no'
  }

  return {
    /** Why the event is not forwarded: once for each event, then an empty text. Undefined if it must be fetched. */
    unwanted({ id, source, eventType }: NamedEvent): string | undefined {
      if (sources.length > 0 && !sources.includes(source)) return once(id, 'source does not match')
      const isMet = types.length === 0 || types.some((glob) => matchesGlob(glob, eventType))
      return isMet ? undefined : once(id, 'type does not match')
    },
    judge(event: FetchedEvent): Verdict {
      const order = lastOrder(event)
      const known = forwarded.get(event.id)
      const kind = kindOf(event, known, order)
      if (kind === 'no') return { kind, reason: known === undefined ? once(event.id, 'received earlier') : '' }
      forwarded.set(event.id, order?.at ?? NO_ORDER)
      return { kind, order }
    },
  }
}

/** An operator's order to retry an event. */
interface RunOrder {
  /** In milliseconds. */
  readonly at: number
  /** Undefined for an order about this event alone. */
  readonly replayId: string | undefined
}

/** The last order in the history of an event, which says `operator NAME: replay ID: REASON`. */
function lastOrder({ history }: Pick<FetchedEvent, 'history'>): RunOrder | undefined {
  const move = history.findLast(({ by }) => /^operator\b/.test(by))
  const at = move && fromLocalDateTime(move.at)
  if (!move || !at) return undefined
  const [, reason = ''] = move.by.split(': ')
  return { at: at.getTime(), replayId: reason.startsWith('replay ') ? reason.slice('replay '.length) : undefined }
}
