import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { KeptAnswer } from '../../deliver/answer.ts'
import type { Delivery, DeliveryKey, DeliveryMove, DeliveryResult, DeliveryStatus } from '../../deliver/delivery.ts'
import { shortAnswer, withMove, withoutContent } from '../../deliver/delivery.ts'
import type { HeldEvents } from '../../deliver/operators/release.ts'
import type { DeliveryClaim, DeliveryDesk, DeliveryOrder, DeliveryStore } from '../../deliver/stores.ts'
import { settleAll } from '../../runtime/async.ts'
import type { EventKey } from '../../webhooks/event.ts'
import type { EventDeliveries } from '../../webhooks/retention/payloads.ts'
import type { Ending } from '../../work/worker.ts'
import {
  type DeliveryItem,
  type DeliveryStep,
  deliveriesKey,
  deliveryKey,
  deliveryUpdate,
  dueShardsOf,
  toDelivery,
  toDeliveryItem,
  WAITING_ATTRIBUTES,
} from './delivery-item.ts'
import { dueShardOf, moveOf as moveOfEvent, shardOf } from './event-item.ts'
import { itemsOf } from './lists.ts'
import {
  type ConditionFailed,
  type Documents,
  IS_ALIVE,
  type Item,
  inRounds,
  itemAt,
  jitter,
  type Pause,
  ttlAt,
  updateIf,
  whereFree,
} from './table.ts'
import { putRecorded, transactRecorded, updateRecorded } from './trail.ts'

const IS_DUE = '(#status = :pending AND dueAt <= :now)'
const IS_ABANDONED = '(#status = :sending AND leaseUntil < :now)'

/** The moves of a delivery on the deliveries table; each condition names owner and status. */
export function dynamoDeliveryStore(documents: Documents, table: string, pause: Pause = jitter): DeliveryStore {
  async function end(claim: DeliveryClaim, step: Omit<DeliveryStep, 'when' | 'values'>): Promise<Ending> {
    const update = deliveryUpdate(table, claim, {
      ...step,
      when: '#status = :sending AND #owner = :me',
      values: { ':sending': 'SENDING', ':me': claim.owner },
    })
    const result = await updateIf(documents, update)
    return { kind: result.kind === 'written' || isOwn(result, claim, step.status) ? 'written' : 'lost' }
  }

  return {
    async claim(claim) {
      const result = await updateIf(documents, deliveryUpdate(table, claim, beginning(claim)))
      const delivery = result.item && toDelivery(result.item as unknown as DeliveryItem)
      const isClaimed = result.kind === 'written' || isOwn(result, claim, 'SENDING')
      return isClaimed && delivery ? { kind: 'claimed', delivery } : { kind: 'refused', delivery }
    },

    async deliver(claim, delivery, result) {
      const move = fitting(delivery, moveOf('DELIVERED', result))
      return end(claim, {
        status: move.status,
        history: withMove(delivery.history, move),
        set: { answer: move.answer, deliveredAt: move.at.getTime() },
        remove: ['leaseUntil', ...WAITING_ATTRIBUTES],
      })
    },

    async fail(claim, { history }, { dueAt, ...result }) {
      const move = moveOf(dueAt ? 'PENDING' : 'DEAD', result)
      const due = dueAt?.getTime()
      return end(claim, {
        status: move.status,
        history: withMove(history, move),
        set: { answer: move.answer, dueAt: due, sweepAt: due, deadFor: dueAt ? undefined : claim.destination },
        remove: dueAt ? ['leaseUntil'] : ['leaseUntil', ...WAITING_ATTRIBUTES],
      })
    },

    async release(claim, dueAt) {
      const due = dueAt.getTime()
      return end(claim, {
        status: 'PENDING',
        set: { attempts: claim.n, dueAt: due, sweepAt: due },
        remove: ['leaseUntil'],
      })
    },

    async abandon(hint, at, answer) {
      const move = moveOf('DEAD', { at, answer })
      const { kind, delivery } = await rewriteDelivery(documents, table, hint, pause, (stored) => {
        const { status, attempts, leaseUntil } = stored
        const isAbandoned =
          status === 'PENDING' || (status === 'SENDING' && leaseUntil !== undefined && leaseUntil < at)
        return isAbandoned && attempts === hint.n ? endedBy(stored, move) : undefined
      })
      const last = delivery?.status === 'DEAD' ? delivery.history.at(-1) : undefined
      const isDone = kind === 'written' || (last?.at.getTime() === at.getTime() && last.answer === move.answer)
      return { kind: isDone ? 'written' : 'lost' }
    },
  }
}

/** The hint of a new row was sent at once: its claim leaves the scan where it is, about the end of the lease. */
function beginning({ n, owner, now, leaseUntil }: DeliveryClaim): DeliveryStep {
  const lease = leaseUntil.getTime()
  return {
    status: 'SENDING',
    set: { owner, leaseUntil: lease, attempts: n + 1, ...(n > 0 && { sweepAt: lease }) },
    remove: ['dueAt'],
    when: `attempts = :n AND (${IS_DUE} OR ${IS_ABANDONED}) AND ${IS_ALIVE}`,
    values: { ':n': n, ':now': now.getTime(), ':alive': ttlAt(now), ':pending': 'PENDING', ':sending': 'SENDING' },
  }
}

function moveOf(status: DeliveryStatus, { answer, ...result }: DeliveryResult) {
  return { ...result, status, answer: shortAnswer(answer) } satisfies DeliveryMove
}

/** The row of a delivery that succeeded at once stays below the 1,024 bytes of a write unit. */
const ONE_UNIT = 960

/** A move with as much of its answer as the row of a first success has room for; its JSON is longer than the row. */
function fitting(delivery: Delivery, move: ReturnType<typeof moveOf>): ReturnType<typeof moveOf> {
  const { received, at, answer } = move
  if (delivery.history.length > 0 || received === undefined) return move
  const row = toDeliveryItem({ ...delivery, id: 0n, deliveredAt: at, answer, history: [move] })
  const fits = (one: KeptAnswer) =>
    Buffer.byteLength(JSON.stringify({ ...row, id: `${delivery.id}`, history: [{ ...move, received: one }] })) <=
    ONE_UNIT
  const { status, headers: _, ...rest } = received
  return { ...move, received: [received, { status, ...rest }].find(fits) ?? { status } }
}

/** Whether an earlier try of the same write succeeded, and only its answer was lost. */
function isOwn({ item }: ConditionFailed, { owner }: DeliveryClaim, status: DeliveryStatus): boolean {
  return item?.['owner'] === owner && item['status'] === status
}

type Rewrite = Omit<DeliveryStep, 'when' | 'values'>

interface Rewritten {
  readonly kind: 'written' | 'refused'
  /** The stored delivery after the attempt; undefined if there is none. */
  readonly delivery: Delivery | undefined
}

/**
 * A step by a process that does not own the delivery: reads the row, and writes it if nothing has changed since;
 * otherwise it repeats both.
 * @param step the step from the stored delivery, or undefined if it must not be made
 * @throws ServiceError `UNAVAILABLE`, also when others keep changing the row
 */
async function rewriteDelivery(
  documents: Documents,
  table: string,
  key: DeliveryKey,
  pause: Pause,
  step: (stored: Delivery) => Rewrite | undefined,
): Promise<Rewritten> {
  let item = await itemAt(documents, table, deliveryKey(key))
  return inRounds<Rewritten>(pause, 'others changed the delivery in every round', async () => {
    const delivery = item && toDelivery(item as unknown as DeliveryItem)
    const rewrite = delivery && step(delivery)
    if (!rewrite) return { kind: 'refused', delivery }
    const result = await updateRecorded(documents, deliveryUpdate(table, key, { ...rewrite, ...asRead(delivery) }))
    item = result.item
    return result.kind === 'written'
      ? { kind: 'written', delivery: toDelivery(result.item as unknown as DeliveryItem) }
      : undefined
  })
}

/** What ends a delivery without an owner. */
function endedBy({ history, destination }: Delivery, move: DeliveryMove): Rewrite {
  return {
    status: move.status,
    history: withMove(history, move),
    set: { answer: move.answer, deadFor: destination },
    remove: ['leaseUntil', 'owner', ...WAITING_ATTRIBUTES],
  }
}

/** Each try changes the number of tries or the status; each order changes its time. */
function asRead({ status, attempts, orderedAt }: Delivery): Pick<DeliveryStep, 'when' | 'values'> {
  const isOrder = orderedAt ? 'orderedAt = :orderedAt' : 'attribute_not_exists(orderedAt)'
  return {
    when: `#status = :status AND attempts = :attempts AND ${isOrder}`,
    values: {
      ':status': status,
      ':attempts': attempts,
      ...(orderedAt && { ':orderedAt': orderedAt.getTime() }),
    },
  }
}

/** All rows of the deliveries table under one key, by destination. */
export async function rowsUnder(documents: Documents, table: string, event: string): Promise<readonly Item[]> {
  return itemsOf(documents, {
    TableName: table,
    KeyConditionExpression: '#event = :event',
    ExpressionAttributeValues: { ':event': event },
    ConsistentRead: true,
  })
}

/** All deliveries of an event, by destination. */
async function deliveriesOf(documents: Documents, table: string, event: EventKey): Promise<readonly Delivery[]> {
  const rows = await rowsUnder(documents, table, deliveriesKey(event))
  return rows.map((row) => toDelivery(row as unknown as DeliveryItem))
}

/** What operators do on the deliveries table. */
export function dynamoDeliveryDesk(documents: Documents, table: string, pause: Pause = jitter): DeliveryDesk {
  async function order(key: DeliveryKey, given: DeliveryOrder) {
    const { kind, delivery } = await rewriteDelivery(documents, table, key, pause, (stored) => {
      const { at, replayId, statuses = [stored.status] } = given
      const { status, leaseUntil, history } = stored
      const isUnderWay = status === 'SENDING' && leaseUntil !== undefined && leaseUntil >= at
      const isOrdered = replayId !== undefined && stored.replayId === replayId
      if (isUnderWay || isOrdered || !statuses.includes(status)) return undefined
      const due = at.getTime()
      return {
        status: 'PENDING',
        history: withMove(history, rewriteOf(given)),
        set: { attempts: 0, dueAt: due, orderedAt: due, replayId, dueShard: anyShard(key), sweepAt: due },
        remove: ['leaseUntil', 'owner', 'deliveredAt', 'deadFor'],
      }
    })
    return { kind: kind === 'written' ? 'ordered' : 'refused', delivery } as const
  }

  return {
    of: (event) => deliveriesOf(documents, table, event),

    order,

    async create(delivery, given) {
      const { at, replayId } = given
      const fresh = { status: 'PENDING', attempts: 0, dueAt: at, orderedAt: at, replayId } as const
      const ordered: Delivery = { ...delivery, ...fresh, history: [rewriteOf(given)] }
      const { kind } = await putRecorded(documents, putOrdered(table, ordered, at))
      return kind === 'written' ? { kind: 'ordered', delivery: ordered } : order(delivery, given)
    },
  }
}

/** Puts the new delivery of an order, where there is none. */
function putOrdered(table: string, delivery: Delivery, at: Date) {
  return {
    TableName: table,
    Item: { ...toDeliveryItem(delivery), dueShard: anyShard(delivery), sweepAt: at.getTime() },
    ...whereFree('destination', at),
  }
}

/** The release of events on their table, with the deliveries that follow. */
export function dynamoHeldEvents(
  documents: Documents,
  tables: { readonly events: string; readonly deliveries: string },
  pause: Pause = jitter,
): HeldEvents {
  return {
    async release(event, { at, user, orderedBy, reason }, deliveries) {
      const due = at.getTime()
      const move = moveOfEvent(tables.events, event, {
        entry: { at, status: 'RECEIVED', by: 'operator', user, reason },
        isPublished: true,
        set: { orderedAt: due, orderedBy, sweepAt: due, dueShard: dueShardOf(event) },
        remove: ['held', 'outcome'],
        when: `#status = :received AND attribute_exists(held) AND attribute_not_exists(payloadDeletedAt) AND ${IS_ALIVE}`,
        values: { ':received': 'RECEIVED', ':alive': ttlAt(at) },
      })
      const puts = deliveries.map((delivery) => ({ Put: putOrdered(tables.deliveries, delivery, at) }))
      const { kind } = await transactRecorded(documents, [{ Update: move }, ...puts], pause)
      return kind === 'written'
    },
  }
}

function rewriteOf({ at, user, reason }: DeliveryOrder): DeliveryMove {
  return { at, status: 'PENDING', user, reason }
}

/** The row may have left the index of due rows: any of its shards takes it back. */
function anyShard({ eventId, destination }: DeliveryKey): string {
  return shardOf(dueShardsOf(destination), createHash('sha256').update(eventId).digest('hex'))
}

/** What the deletion of payloads does on the deliveries table. */
export function dynamoEventDeliveries(documents: Documents, table: string, pause: Pause = jitter): EventDeliveries {
  async function end(delivery: Delivery, move: DeliveryMove): Promise<boolean> {
    const { kind } = await rewriteDelivery(documents, table, delivery, pause, (stored) =>
      isOver(stored) ? undefined : endedBy(stored, move),
    )
    return kind === 'written'
  }

  return {
    async stateOf(event) {
      const deliveries = await deliveriesOf(documents, table, event)
      if (deliveries.length === 0) return 'none'
      return deliveries.every(isOver) ? 'over' : 'open'
    },

    async endAll(event, at, answer) {
      const all = await deliveriesOf(documents, table, event)
      const open = all.filter((delivery) => !isOver(delivery))
      const areEnded = await settleAll(open.map((delivery) => end(delivery, { at, status: 'DEAD', answer })))
      return areEnded.filter(Boolean).length
    },

    async forgetAnswers(event) {
      const all = await deliveriesOf(documents, table, event)
      const told = all.filter(({ history }) => history.some(({ received }) => received?.body))
      await settleAll(
        told.map((delivery) =>
          rewriteDelivery(documents, table, delivery, pause, ({ status, history }) => {
            return { status, history: history.map(withoutContent), set: {}, remove: [] }
          }),
        ),
      )
    },
  }
}

function isOver({ status }: Delivery): boolean {
  return status === 'DELIVERED' || status === 'DEAD'
}
