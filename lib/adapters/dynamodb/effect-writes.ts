import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import type { Blocked, Effects } from '../../webhooks/settle.ts'
import type { Item } from './conditional.ts'
import { orderUpdate, toOrder } from './order-write.ts'
import { paymentUpdate, toPayment } from './payment-write.ts'

type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number]

export interface EffectTables {
  readonly payments: string
  readonly orders: string
}

/** One kind of effect: its write, and what the row says that refused it. */
interface Kind {
  readonly name: Exclude<keyof Effects, 'outcome'>
  readonly write: (tables: EffectTables, effects: Effects, id: bigint) => Write | undefined
  readonly blocked: (item: Item) => Blocked
}

/** In the order of their writes. */
const KINDS: readonly Kind[] = [
  {
    name: 'payment',
    write: ({ payments }, { payment }, id) => payment && paymentUpdate(payments, payment, id),
    blocked: (item) => ({ kind: 'blocked', by: 'payment', stored: toPayment(item) }),
  },
  {
    name: 'order',
    write: ({ orders }, { order }, id) => order && orderUpdate(orders, order, id),
    blocked: (item) => ({ kind: 'blocked', by: 'order', stored: toOrder(item) }),
  },
]

/**
 * The writes of everything that an event does, to be made in the event's own transaction.
 * @param id the id of whatever row they make
 */
export function effectWrites(tables: EffectTables, effects: Effects, id: bigint): readonly Write[] {
  return KINDS.flatMap(({ write }) => write(tables, effects, id) ?? [])
}

/** What stands in the way of the effects whose write at `index`, counted from the first of them, was refused. */
export function blockedBy(effects: Effects, index: number, item: Item): Blocked {
  const kind = KINDS.filter(({ name }) => effects[name] !== undefined)[index]
  if (!kind) throw new Error('no effect was written there')
  return kind.blocked(item)
}
