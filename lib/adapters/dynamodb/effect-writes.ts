import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import type { Conflict, Effects } from '../../webhooks/apply.ts'
import type { EventKey } from '../../webhooks/event.ts'
import type { Documents } from './client.ts'
import { type ConditionFailed, type Item, type Pause, transact, type Written } from './conditional.ts'
import { type CauseItem, causesIn } from './effect-update.ts'

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
