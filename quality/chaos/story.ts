import { randomUUID } from 'node:crypto'
import { rewritten, type SampleMessage } from '../../lib/webhooks/sample.ts'
import { eventIdOf } from '../../localstack/senders/event-id.ts'
import { newMessage } from '../../localstack/senders/message.ts'
import { SENDERS } from '../../localstack/senders/table.ts'
import type { Random } from '../../test/support/random.ts'

/** The row that an event is to leave behind; of several events of one key the one with the highest rank shows. */
export interface Trace {
  readonly table: 'payments' | 'orders'
  readonly key: string
  readonly status: string
  readonly rank: number
}

/** An event, and what has to become of it once it is stored. */
export interface Shot {
  /** As in the path. */
  readonly source: string
  readonly eventId: string
  readonly message: SampleMessage
  /** Whether its handler refuses it whenever it runs. */
  readonly isDoomed: boolean
  /** Undefined for one that changes no other row. */
  readonly trace: Trace | undefined
}

/** Events that belong together, in the order of sending. */
export type Story = (id: string) => readonly Shot[]

type Name = 'payment' | 'order-status' | 'stripe' | 'github' | 'demo'

function shot(source: Name, event: string, id: string, changes: object = {}, trace?: Trace): Shot {
  const draft = newMessage(SENDERS[source], event, { id, at: new Date() })
  const message = { ...draft, body: rewritten(draft.body, (values) => ({ ...values, ...changes })) }
  return { source, eventId: eventIdOf(source, message), message, isDoomed: false, trace }
}

const RANKS = { FAILED: 1, COMPLETED: 2, REFUNDED: 3 } as const

function payment(id: string, status: keyof typeof RANKS, changes: object = {}): Shot {
  const trace = { table: 'payments', key: `tx-${id}`, status, rank: RANKS[status] } as const
  return shot('payment', status, id, { eventId: `pay-${status}-${id}`, ...changes }, trace)
}

/** @param minute when the carrier says that it happened */
function order(id: string, status: string, minute: number): Shot {
  const trace = { table: 'orders', key: `order-${id}`, status, rank: minute } as const
  const timestamp = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
  return shot('order-status', status, id, { eventId: `ord-${status}-${id}`, timestamp }, trace)
}

function intent(id: string, type: string, status: keyof typeof RANKS): Shot {
  const trace = { table: 'payments', key: `pi_${id}`, status, rank: RANKS[status] } as const
  return shot('stripe', type, id, { id: `evt_${status}_${id}` }, trace)
}

/** Contradicts the payment before it, and goes on doing so at every retry. */
const doomed = (id: string): Shot => ({
  ...payment(id, 'REFUNDED', { orderId: `another-${id}` }),
  isDoomed: true,
  trace: undefined,
})

/** How often each story is told: a weight. */
const STORIES: readonly { readonly weight: number; readonly isBrief: boolean; readonly tell: Story }[] = [
  { weight: 6, isBrief: true, tell: (id) => [payment(id, 'COMPLETED')] },
  { weight: 2, isBrief: true, tell: (id) => [payment(id, 'REFUNDED'), payment(id, 'COMPLETED')] },
  { weight: 2, isBrief: true, tell: (id) => [order(id, 'SHIPPED', 2), order(id, 'CONFIRMED', 1)] },
  {
    weight: 2,
    isBrief: true,
    tell: (id) => [
      intent(id, 'payment_intent.payment_failed', 'FAILED'),
      intent(id, 'payment_intent.succeeded', 'COMPLETED'),
    ],
  },
  { weight: 2, isBrief: true, tell: (id) => [shot('demo', 'greeting.said', id)] },
  { weight: 1, isBrief: true, tell: (id) => [shot('github', 'ping', id)] },
  // What a worker runs is nobody's for a minute when it dies: too long for a brief run.
  { weight: 2, isBrief: false, tell: (id) => [shot('github', 'push', id)] },
  { weight: 1, isBrief: false, tell: (id) => [payment(id, 'COMPLETED'), doomed(id)] },
]

/**
 * Tells one story after the other.
 * @param isBrief leaves out those that take a worker
 */
export function storyteller(random: Random, isBrief: boolean): () => readonly Shot[] {
  const told = STORIES.filter((story) => story.isBrief || !isBrief)
  const weighted = told.flatMap(({ weight, tell }) => Array.from({ length: weight }, () => tell))
  return () => random.pick(weighted)(randomUUID())
}
