import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import type { Conflict, Effects } from '../../webhooks/apply.ts'
import type { Item } from './conditional.ts'

export type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number]

/** A kind of effect, and the table of its rows: its write, and what the row says that refused it. */
export interface EffectKind {
  readonly name: Exclude<keyof Effects, 'outcome'>
  write(effects: Effects, id: bigint): Write | undefined
  blocked(item: Item): Conflict
}

/** The names of all kinds. */
const NAMES = ['payment', 'order'] as const satisfies readonly EffectKind['name'][]

/**
 * The writes of everything that an event does, in the order of their kinds, to be made in the event's own transaction.
 * @param id the id of whatever row they make
 */
export function effectWrites(kinds: readonly EffectKind[], effects: Effects, id: bigint): readonly Write[] {
  const homeless = NAMES.find((name) => effects[name] && !kinds.some((kind) => kind.name === name))
  if (homeless) throw new Error(`no table is given for the effect ${homeless}`)
  return kinds.flatMap((kind) => kind.write(effects, id) ?? [])
}

/** The conflict behind a refused effect write; `index` counts from the first effect. */
export function blockedBy(kinds: readonly EffectKind[], effects: Effects, index: number, item: Item): Conflict {
  const kind = kinds.filter(({ name }) => effects[name] !== undefined)[index]
  if (!kind) throw new Error('no effect was written there')
  return kind.blocked(item)
}
