import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import type { Conflict, Effects } from '../../webhooks/apply.ts'
import type { EventKey } from '../../webhooks/event.ts'
import { changeIdOf } from '../../webhooks/live/cursor.ts'
import { listShardOf } from './event-item.ts'
import { type ConditionFailed, type Documents, type Item, type Pause, transact, type Written } from './table.ts'

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
  const isChange = mode === 'advance' || adds
  const place = { changeId: changeIdOf(cause, cause.at), listShard: listShardOf(keyValue) }
  const changed = Object.entries(values).filter(([, value]) => value !== undefined)
  const placed = isChange ? Object.entries(place) : []
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
      ExpressionAttributeValues: {
        ...events.values,
        ...Object.fromEntries(all.map(([name, value]) => [`:${name}`, value])),
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  }
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

export type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number]

/** The event that has the effects. */
export interface EffectCause extends EventKey {
  /** The id of a row that the effects create. */
  readonly id: bigint
  readonly eventType: string
  /** When it is processed. */
  readonly at: Date
}

/** A kind of effect, and the table of its rows: its write, and the reason in a row that refused it. */
export interface EffectKind {
  readonly name: Exclude<keyof Effects, 'outcome'>
  /** @param full the row's list of events, if it is known to be full */
  write(effects: Effects, cause: EffectCause, full?: readonly CauseItem[]): Write | undefined
  blocked(item: Item): Conflict
}

/** The names of all kinds. */
const NAMES = ['payment', 'order'] as const satisfies readonly EffectKind['name'][]

/** Whether an event changes any row in addition to its own. */
export function hasRows(effects: Effects): boolean {
  return NAMES.some((name) => effects[name] !== undefined)
}

/** The full lists of events of some rows, by the kind of the row. */
type FullLists = ReadonlyMap<EffectKind['name'], readonly CauseItem[]>

/** The writes of everything that an event does, in the order of their kinds. */
export function effectWrites(
  kinds: readonly EffectKind[],
  effects: Effects,
  cause: EffectCause,
  full: FullLists = new Map(),
): readonly Write[] {
  const homeless = NAMES.find((name) => effects[name] && !kinds.some((kind) => kind.name === name))
  if (homeless) throw new Error(`no table is given for the effect ${homeless}`)
  return kinds.flatMap((kind) => kind.write(effects, cause, full.get(kind.name)) ?? [])
}

/** The writes of an event: its effects between others. */
export interface EventWrites {
  readonly before: readonly Write[]
  readonly kinds: readonly EffectKind[]
  readonly effects: Effects
  readonly cause: EffectCause
  readonly after: readonly Write[]
}

/** Maximum number of tries; each further try means that another writer changed a full list in between. */
const MAXIMUM_ROUNDS = 5

/**
 * Writes an event and its effects in one transaction. A row with a full list of events refuses it; it is then sent
 * again with a shorter list. For such a row that happens at every tenth event.
 * @throws ServiceError `UNAVAILABLE`
 */
export async function transactEffects(
  documents: Documents,
  writes: EventWrites,
  pause: Pause,
): Promise<Written | ConditionFailed> {
  const { before, kinds, effects, cause, after } = writes
  let full: FullLists = new Map()
  for (let round = 1; ; round++) {
    const all = [...before, ...effectWrites(kinds, effects, cause, full), ...after]
    const result = await transact(documents, all, pause)
    const next = result.kind === 'refused' ? withList(full, kindAt(writes, result.index), result.item) : undefined
    if (next === undefined || round === MAXIMUM_ROUNDS) return result
    full = next
  }
}

/** The lists for the next try; undefined if the row did not refuse because of a list. */
function withList(full: FullLists, kind: EffectKind | undefined, item: Item | undefined): FullLists | undefined {
  if (kind === undefined) return undefined
  const { items, isFull } = causesIn(item)
  const others = [...full].filter(([name]) => name !== kind.name)
  if (isFull) return full.get(kind.name)?.length === items.length ? undefined : new Map([...others, [kind.name, items]])
  return full.has(kind.name) ? new Map(others) : undefined
}

/** The kind of the effect whose write is at an index of all writes. */
function kindAt({ before, kinds, effects }: EventWrites, index: number): EffectKind | undefined {
  return kinds.filter(({ name }) => effects[name] !== undefined)[index - before.length]
}

/** The conflict behind a refused write; `index` counts from the first write of all. */
export function blockedBy(writes: EventWrites, index: number, item: Item): Conflict {
  const kind = kindAt(writes, index)
  if (!kind) throw new Error('no effect was written there')
  return kind.blocked(item)
}
