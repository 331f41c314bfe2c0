import { type EventHead, type EventKey, type HistoryEntry, withEntry } from '../../webhooks/event.ts'
import { changeIdOf } from '../../webhooks/live/change.ts'
import type { Item } from './conditional.ts'
import { toHistoryItem } from './event-item.ts'

/** One step of the state machine: the row's status becomes that of the history entry. */
export interface Move {
  readonly entry: HistoryEntry
  /**
   * The history as the owner of the run read it; only the owner adds to it. A long one is shortened and rewritten; a
   * single move may not be stored yet.
   */
  readonly history?: EventHead['history'] | undefined
  /** Whether the change feed publishes it. */
  readonly isNews: boolean
  /** Undefined values are left alone. */
  readonly set: Item
  readonly remove?: readonly string[]
  readonly when: string
  readonly values: Item
}

/** The conditional update of the events table that makes a move. */
export function moveOf(table: string, { source, eventId }: EventKey, move: Move) {
  const { entry, history = [], isNews, set, remove = [], when, values } = move
  const shortened = withEntry(history, entry)
  const isLong = shortened.length <= history.length
  const isImplied = history.length === 1 && !isLong
  const stored = isImplied ? 'if_not_exists(history, :first)' : 'history'
  const changeId = isNews ? changeIdOf({ source, eventId }, entry.at) : undefined
  const assigned = Object.entries({ status: entry.status, changeId, ...set }).filter(([, value]) => value !== undefined)
  const assignments = assigned.map(([name]) => `#${name} = :to_${name}`)
  const removal = remove.length > 0 ? ` REMOVE ${remove.join(', ')}` : ''
  return {
    TableName: table,
    Key: { source, eventId },
    UpdateExpression: `SET ${assignments.join(', ')}, history = ${isLong ? ':history' : `list_append(${stored}, :history)`}${removal}`,
    ConditionExpression: when,
    ExpressionAttributeNames: {
      ...(when.includes('#owner') && { '#owner': 'owner' }),
      ...Object.fromEntries(assigned.map(([name]) => [`#${name}`, name])),
    },
    ExpressionAttributeValues: {
      ':history': (isLong ? shortened : [entry]).map(toHistoryItem),
      ...(isImplied && { ':first': history.map(toHistoryItem) }),
      ...values,
      ...Object.fromEntries(assigned.map(([name, value]) => [`:to_${name}`, value])),
    },
  }
}
