import type { EventKey, EventStatus, HistoryEntry } from '../../webhooks/event.ts'
import type { Claim, Ending, RetryStore } from '../../webhooks/retry.ts'
import type { Documents } from './client.ts'
import { type Item, jitter, type Pause, type Refused, transact, updateIf, type Written } from './conditional.ts'
import { type EventItem, fromItem, toHistoryItem } from './event-item.ts'
import type { EventTables } from './event-store.ts'
import { paymentUpdate, toPayment } from './payment-write.ts'

const EVENT = 0

const AT_HINT = 'attempts = :n'
const IS_DUE = '(#status = :failed AND nextRetryAt <= :now)'
const IS_WAITING = '(#status = :failed AND attribute_exists(nextRetryAt))'
const IS_ABANDONED = '(#status = :retry AND leaseUntil < :now)'
const IS_MINE = '(#status = :retry AND #owner = :me)'

/** Without these a row is out of the sparse index: nothing waits any more. */
const WAITING = ['nextRetryAt', 'dueShard', 'sweepAt']

/** The moves of spec 3.1 on the events table; owner and status stand in every condition. */
export function dynamoRetryStore(documents: Documents, tables: EventTables, pause: Pause = jitter): RetryStore {
  return {
    async claim({ source, eventId, owner, now, leaseUntil, maxAttempts, n }) {
      const lease = leaseUntil.getTime()
      const result = await updateIf(
        documents,
        moveOf(
          tables.events,
          { source, eventId },
          {
            entry: { at: now, status: 'RETRY', by: 'retry' },
            set: { owner, leaseUntil: lease, sweepAt: lease, attempts: n + 1 },
            when: `${AT_HINT} AND :n < :max AND (${IS_DUE} OR ${IS_ABANDONED})`,
            values: { ':failed': 'FAILED', ':retry': 'RETRY', ':now': now.getTime(), ':n': n, ':max': maxAttempts },
          },
        ),
      )
      const event = result.item && fromItem(result.item as unknown as EventItem)
      const isClaimed = result.kind === 'written' || isOwn(result, owner, 'RETRY')
      return isClaimed && event ? { kind: 'claimed', event } : { kind: 'refused', event }
    },

    async finish(claim, event, { payment, outcome }, at) {
      const move = moveOf(tables.events, claim, {
        entry: { at, status: 'PROCESSED', by: 'retry' },
        set: { processedAt: at.getTime(), outcome },
        remove: ['errorMessage', 'leaseUntil', ...WAITING],
        when: IS_MINE,
        values: { ':retry': 'RETRY', ':me': claim.owner },
      })
      const result = payment
        ? await transact(
            documents,
            [
              { Update: { ...move, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } },
              paymentUpdate(tables.payments, payment, event.id),
            ],
            pause,
          )
        : await updateIf(documents, move)
      return result.kind === 'refused' && result.index !== EVENT && result.item
        ? { kind: 'blocked', stored: toPayment(result.item) }
        : endingOf(result, claim, 'PROCESSED')
    },

    async fail(claim, { at, errorMessage, nextRetryAt }) {
      const due = nextRetryAt?.getTime()
      const result = await updateIf(
        documents,
        moveOf(tables.events, claim, {
          entry: { at, status: 'FAILED', by: 'retry', error: errorMessage },
          set: { errorMessage, dead: due === undefined, nextRetryAt: due, sweepAt: due },
          remove: due === undefined ? ['leaseUntil', ...WAITING] : ['leaseUntil'],
          when: IS_MINE,
          values: { ':retry': 'RETRY', ':me': claim.owner },
        }),
      )
      return endingOf(result, claim, 'FAILED')
    },

    async exhaust({ n, ...key }, at, errorMessage) {
      const result = await updateIf(
        documents,
        moveOf(tables.events, key, {
          entry: { at, status: 'FAILED', by: 'retry', error: errorMessage },
          set: { errorMessage, dead: true },
          remove: ['leaseUntil', ...WAITING],
          when: `${AT_HINT} AND (${IS_WAITING} OR ${IS_ABANDONED})`,
          values: { ':failed': 'FAILED', ':retry': 'RETRY', ':now': at.getTime(), ':n': n },
        }),
      )
      return { kind: result.kind === 'written' ? 'written' : 'lost' }
    },
  }
}

/** One step of the state machine: the row's status becomes that of the history entry. */
interface Move {
  readonly entry: HistoryEntry
  /** Undefined values are left alone. */
  readonly set: Item
  readonly remove?: readonly string[]
  readonly when: string
  readonly values: Item
}

function moveOf(table: string, { source, eventId }: EventKey, { entry, set, remove = [], when, values }: Move) {
  const assigned = Object.entries({ status: entry.status, ...set }).filter(([, value]) => value !== undefined)
  const assignments = assigned.map(([name]) => `#${name} = :to_${name}`)
  const removal = remove.length > 0 ? ` REMOVE ${remove.join(', ')}` : ''
  return {
    TableName: table,
    Key: { source, eventId },
    UpdateExpression: `SET ${assignments.join(', ')}, history = list_append(history, :entry)${removal}`,
    ConditionExpression: when,
    ExpressionAttributeNames: {
      ...(when.includes('#owner') && { '#owner': 'owner' }),
      ...Object.fromEntries(assigned.map(([name]) => [`#${name}`, name])),
    },
    ExpressionAttributeValues: {
      ':entry': [toHistoryItem(entry)],
      ...values,
      ...Object.fromEntries(assigned.map(([name, value]) => [`:to_${name}`, value])),
    },
  }
}

/** A refused write whose row already stands as it should, under our own name, was made by an earlier try of ours. */
function isOwn({ item }: Refused, owner: string, status: EventStatus): boolean {
  return item?.['owner'] === owner && item['status'] === status
}

function endingOf(result: Written | Refused, { owner }: Claim, status: EventStatus): Ending {
  const isDone = result.kind === 'written' || isOwn(result, owner, status)
  return { kind: isDone ? 'written' : 'lost' }
}
