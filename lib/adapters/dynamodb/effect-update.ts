import { createHash } from 'node:crypto'
import { changeIdOf } from '../../webhooks/live/change.ts'
import type { Item } from './conditional.ts'
import type { EffectCause, Write } from './effect-writes.ts'
import { LIST_SHARDS, shardOf } from './event-item.ts'

/** An event as the rows hold it that it changed; the time in milliseconds since the epoch. */
export interface CauseItem {
  readonly source: string
  readonly eventId: string
  readonly eventType: string
  readonly outcome: 'applied' | 'superseded'
  readonly at: number
}

/** A row holds so many of its events at most, so that it cannot outgrow an item. */
const MOST_CAUSES = 20

/** So many are left of a full list; then others fit again without a second look at the row. */
const KEPT_CAUSES = 10

/** Whether a row takes another event only with a list that is shortened. */
export function causesIn(item: Item | undefined): { readonly items: readonly CauseItem[]; readonly isFull: boolean } {
  const items = (item?.['events'] ?? []) as readonly CauseItem[]
  return { items, isFull: items.length >= MOST_CAUSES }
}

/** A change of a row by an event. */
interface RowChange {
  readonly table: string
  readonly key: Readonly<Record<string, string>>
  /** `fill` only sets what the row lacks. */
  readonly mode: 'advance' | 'fill'
  /** Whether a `fill` sets anything. */
  readonly adds?: boolean | undefined
  /** Undefined ones are left alone. */
  readonly values: Item
  readonly when: readonly string[]
}

const SET = (name: string) => `#${name} = :${name}`
const SET_ONCE = (name: string) => `#${name} = if_not_exists(#${name}, :${name})`

/**
 * The update that changes a row, notes the event in it, and, if the row says anything new then, puts it in front of the
 * index `byTime`. Refused when the row's list of events is full, unless `full` holds that list.
 */
export function effectUpdate(change: RowChange, cause: EffectCause, full: readonly CauseItem[] | undefined): Write {
  const { table, key, mode, adds = false, values, when } = change
  const [keyValue = ''] = Object.values(key)
  const isNews = mode === 'advance' || adds
  const place = { changeId: changeIdOf(cause, cause.at), listShard: shardOf(LIST_SHARDS, sha256(keyValue)) }
  const changed = Object.entries(values).filter(([, value]) => value !== undefined)
  const placed = isNews ? Object.entries(place) : []
  const events = noted(causeItem(cause, mode), full)
  const all = [['id', cause.id] as const, ...changed, ...placed]
  const assignments = [
    SET_ONCE('id'),
    ...changed.map(([name]) => (mode === 'advance' ? SET : SET_ONCE)(name)),
    ...placed.map(([name]) => SET(name)),
    events.set,
  ]
  return {
    Update: {
      TableName: table,
      Key: key,
      UpdateExpression: `SET ${assignments.join(', ')}`,
      ConditionExpression: [...when, events.when].join(' AND '),
      ExpressionAttributeNames: {
        '#events': 'events',
        ...Object.fromEntries(all.map(([name]) => [`#${name}`, name])),
      },
      ExpressionAttributeValues: {
        ...events.values,
        ...Object.fromEntries(all.map(([name, value]) => [`:${name}`, value])),
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function causeItem({ source, eventId, eventType, at }: EffectCause, mode: RowChange['mode']): CauseItem {
  return { source, eventId, eventType, outcome: mode === 'advance' ? 'applied' : 'superseded', at: at.getTime() }
}

/** How the row takes the event into its list. */
function noted(item: CauseItem, full: readonly CauseItem[] | undefined) {
  if (full) {
    const values = { ':events': [...full.slice(1 - KEPT_CAUSES), item], ':size': full.length }
    return { set: '#events = :events', when: 'size(#events) = :size', values }
  }
  return {
    set: '#events = list_append(if_not_exists(#events, :none), :event)',
    when: '(attribute_not_exists(#events) OR size(#events) < :most)',
    values: { ':none': [], ':event': [item], ':most': MOST_CAUSES },
  }
}
