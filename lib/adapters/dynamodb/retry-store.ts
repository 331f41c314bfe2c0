import { type EventHead, type EventStatus, type HistoryEntry, hintOf } from '../../webhooks/event.ts'
import type { DueEvent, DueEvents } from '../../webhooks/retry/scan.ts'
import type { Claim, RetryStore, Run } from '../../webhooks/retry/worker.ts'
import type { Ending } from '../../work/worker.ts'
import { blockedBy, hasRows, transactEffects, type Write } from './effects.ts'
import { DUE_SHARDS, type EventItem, headOf, type Move, moveOf } from './event-item.ts'
import type { EventTables } from './event-store.ts'
import { pagesOf } from './lists.ts'
import { readStoredBody, writeElements } from './stored-body.ts'
import {
  type ConditionFailed,
  type Documents,
  IS_ALIVE,
  jitter,
  type Pause,
  SHOW_OLD,
  ttlAt,
  updateIf,
  type Written,
} from './table.ts'

const EVENT = 0

const IS_RUNNING = '#status IN (:processing, :retry)'
const IS_NEW = '#status = :received AND attribute_not_exists(held)'
const IS_DUE = '(#status = :failed AND nextRetryAt <= :now)'
const IS_WAITING = '(#status = :failed AND attribute_exists(nextRetryAt))'
const IS_ABANDONED = `(${IS_RUNNING} AND leaseUntil < :now)`
const IS_MINE = `${IS_RUNNING} AND #owner = :me`

const RUNNING = { ':processing': 'PROCESSING', ':retry': 'RETRY' }

/** Attributes of the sparse index: a row without them does not wait for a run. */
const WAITING = ['nextRetryAt', 'dueShard', 'sweepAt']

/** What the history says of a run that does not count. */
const RELEASED = 'not counted: a store or queue could not be reached'

/** The state changes of events in their table (retries-5 to retries-7); each condition names owner and status. */
export function dynamoRetryStore(documents: Documents, tables: EventTables, pause: Pause = jitter): RetryStore {
  /** The move that ends a run of this owner. */
  function endOf(run: Run, move: Omit<Move, 'when' | 'values'>) {
    return moveOf(tables.events, run, { ...move, when: IS_MINE, values: { ...RUNNING, ':me': run.owner } })
  }

  async function end(run: Run, move: Omit<Move, 'when' | 'values'>): Promise<Ending> {
    return endingOf(await updateIf(documents, endOf(run, move)), run, move.entry.status)
  }

  return {
    async claim(claim) {
      const result = await updateIf(documents, moveOf(tables.events, claim, beginning(claim)))
      const item = result.item as EventItem | undefined
      const event = item && headOf(item)
      const isClaimed = result.kind === 'written' || isOwn(result, claim.owner, RUNNING)
      if (!isClaimed || !item || !event) return { kind: 'refused', event }
      const place = { ...item, payloadSha256: event.payloadSha256 }
      return { kind: 'claimed', event, body: () => readStoredBody(documents, tables.events, place, pause) }
    },

    async finish(claim, event, effects, at) {
      const move = {
        entry: { at, status: 'PROCESSED', by: runner(claim) },
        history: event.history,
        isPublished: true,
        set: { processedAt: at.getTime(), outcome: effects.outcome },
        remove: ['errorMessage', 'leaseUntil', ...WAITING],
      } as const
      if (!hasRows(effects)) return end(claim, move)
      const writes = {
        before: [{ Update: { ...endOf(claim, move), ...SHOW_OLD } }] satisfies readonly Write[],
        kinds: tables.effects,
        effects,
        cause: { ...event, at },
        after: [],
      }
      const result = await transactEffects(documents, writes, pause)
      return result.kind === 'refused' && result.index !== EVENT && result.item
        ? blockedBy(writes, result.index, result.item)
        : endingOf(result, claim, 'PROCESSED')
    },

    writeItems: (event, items) => writeElements(documents, tables.events, event, items, pause),

    async fail(claim, event, { at, errorMessage, nextRetryAt }) {
      const due = nextRetryAt?.getTime()
      return end(claim, {
        entry: { at, status: 'FAILED', by: runner(claim), error: errorMessage },
        history: event.history,
        isPublished: true,
        set: { errorMessage, dead: due === undefined, nextRetryAt: due, sweepAt: due },
        remove: due === undefined ? ['leaseUntil', ...WAITING] : ['leaseUntil'],
      })
    },

    async release(claim, event, at) {
      const now = at.getTime()
      const status = claim.n === 0 ? 'RECEIVED' : 'FAILED'
      const due = claim.n === 0 ? {} : { attempts: claim.n - 1, nextRetryAt: now }
      return end(claim, {
        entry: { at, status, by: runner(claim), error: RELEASED },
        history: event?.history,
        isPublished: false,
        set: { ...due, sweepAt: now },
        remove: ['leaseUntil'],
      })
    },

    async exhaust({ n, ...key }, at, errorMessage) {
      const result = await updateIf(
        documents,
        moveOf(tables.events, key, {
          entry: { at, status: 'FAILED', by: 'retry', error: errorMessage },
          isPublished: true,
          set: { errorMessage, dead: true },
          remove: ['leaseUntil', ...WAITING],
          ...(n === 0
            ? { when: IS_NEW, values: { ':received': 'RECEIVED' } }
            : {
                when: `attempts = :before AND (${IS_WAITING} OR ${IS_ABANDONED})`,
                values: { ...RUNNING, ':failed': 'FAILED', ':now': at.getTime(), ':before': n - 1 },
              }),
        }),
      )
      return result.kind === 'written'
        ? { kind: 'written', event: headOf(result.item as unknown as EventItem) }
        : { kind: 'lost' }
    },
  }
}

/** A first run needs a row that never ran; a retry one that is due or was abandoned, and an attempt that is left. */
function beginning({ n, owner, now, leaseUntil, maxAttempts }: Claim): Move {
  const lease = leaseUntil.getTime()
  const set = { owner, leaseUntil: lease, sweepAt: lease }
  if (n === 0) {
    return {
      entry: { at: now, status: 'PROCESSING', by: 'worker' },
      isPublished: false,
      set,
      when: `${IS_NEW} AND ${IS_ALIVE}`,
      values: { ':received': 'RECEIVED', ':alive': ttlAt(now) },
    }
  }
  return {
    entry: { at: now, status: 'RETRY', by: 'retry' },
    isPublished: false,
    set: { ...set, attempts: n },
    when: `attempts = :before AND :before < :max AND (${IS_DUE} OR ${IS_ABANDONED}) AND ${IS_ALIVE}`,
    values: {
      ...RUNNING,
      ':failed': 'FAILED',
      ':now': now.getTime(),
      ':alive': ttlAt(now),
      ':before': n - 1,
      ':max': maxAttempts,
    },
  }
}

function runner({ n }: Run): HistoryEntry['by'] {
  return n === 0 ? 'worker' : 'retry'
}

/** Whether an earlier try of the same write succeeded, and only its answer was lost. */
function isOwn({ item }: ConditionFailed, owner: string, statuses: Readonly<Record<string, string>>): boolean {
  return item?.['owner'] === owner && Object.values(statuses).includes(String(item['status']))
}

function endingOf(result: Written | ConditionFailed, { owner }: Run, status: EventStatus): Ending {
  const isDone = result.kind === 'written' || isOwn(result, owner, { status })
  return { kind: isDone ? 'written' : 'lost' }
}

const PAGE = 100

/** What the index shows of a row. */
type IndexItem = Pick<
  EventItem,
  'source' | 'eventId' | 'status' | 'attempts' | 'receivedAt' | 'nextRetryAt' | 'leaseUntil'
>

/** Since when a row of each status could have been run. */
const DUE: Readonly<Record<EventHead['status'], (item: IndexItem) => number | undefined>> = {
  RECEIVED: ({ receivedAt }) => receivedAt,
  PROCESSING: ({ leaseUntil }) => leaseUntil,
  RETRY: ({ leaseUntil }) => leaseUntil,
  FAILED: ({ nextRetryAt }) => nextRetryAt,
  PROCESSED: () => undefined,
}

/** The sparse index `due` of the events table. */
export function dynamoDueEvents(documents: Documents, table: string): DueEvents {
  async function* shard(dueShard: string, now: Date): AsyncGenerator<readonly DueEvent[]> {
    const query = {
      TableName: table,
      IndexName: 'due',
      KeyConditionExpression: 'dueShard = :shard AND sweepAt <= :now',
      ExpressionAttributeValues: { ':shard': dueShard, ':now': now.getTime() },
      Limit: PAGE,
    }
    for await (const items of pagesOf(documents, query))
      yield items.map((item) => toDue(item as unknown as IndexItem, now))
  }

  return {
    async *dueBy(now) {
      for (const dueShard of DUE_SHARDS) yield* shard(dueShard, now)
    },

    async postponeScan({ source, eventId, n }, until) {
      const isSeen = n === 0 ? '#status = :received' : '#status <> :received AND attempts = :before'
      await updateIf(documents, {
        TableName: table,
        Key: { source, eventId },
        UpdateExpression: 'SET sweepAt = :until',
        ConditionExpression: `attribute_exists(dueShard) AND ${isSeen}`,
        ExpressionAttributeValues: {
          ':until': until.getTime(),
          ':received': 'RECEIVED',
          ...(n > 0 && { ':before': n - 1 }),
        },
        ReturnValues: 'NONE',
      })
    },
  }
}

function toDue(item: IndexItem, now: Date): DueEvent {
  return { hint: hintOf(item), since: new Date(DUE[item.status](item) ?? now) }
}
