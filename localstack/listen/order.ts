import { fromLocalDateTime } from '../../lib/runtime/local-date-time.ts'
import type { FetchedEvent } from './stage.ts'

/** An operator's order to retry an event. */
export interface RunOrder {
  /** In milliseconds. */
  readonly at: number
  /** Undefined for an order about this event alone. */
  readonly replayId: string | undefined
}

/** The last order in the history of an event, which says `operator NAME: replay ID: REASON`. */
export function lastOrder({ history }: Pick<FetchedEvent, 'history'>): RunOrder | undefined {
  const move = history.findLast(({ by }) => /^operator\b/.test(by))
  const at = move && fromLocalDateTime(move.at)
  if (!move || !at) return undefined
  const [, reason = ''] = move.by.split(': ')
  return { at: at.getTime(), replayId: reason.startsWith('replay ') ? reason.slice('replay '.length) : undefined }
}
