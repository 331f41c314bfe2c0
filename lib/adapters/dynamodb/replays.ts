import type { Delivery } from '../../deliver/delivery.ts'
import type { EventHead } from '../../webhooks/event.ts'
import type {
  Replay,
  ReplayCounter,
  ReplayCounts,
  ReplayHint,
  ReplayList,
  Replays,
} from '../../webhooks/operators/replay.ts'
import type { ReplayRuns } from '../../webhooks/operators/replay-job.ts'
import { pagesOf, rowsAt, rowsBy } from './lists.ts'
import {
  assignmentsOf,
  type Documents,
  type Item,
  itemAt,
  jitter,
  type Pause,
  pageOf,
  type Stored,
  storedOf,
  timesIn,
  updateIf,
} from './table.ts'
import { putRecorded } from './trail.ts'

/** The only key of the sparse index `waiting`, and of the index `byTime`: replays are few. */
const ALL = 'replays'

/** A replay as the table holds it. */
interface ReplayItem extends Stored<Replay> {
  /** With `wakeAt` the key of the sparse index `waiting`: present until the replay is done. */
  readonly waiting?: string | undefined
  readonly wakeAt?: number | undefined
  /** With `acceptedAt` the key of the index `byTime`. */
  readonly listed?: string | undefined
}

export function dynamoReplays(documents: Documents, table: string): Replays {
  return {
    async create(replay) {
      const { kind, item } = await putRecorded(documents, {
        TableName: table,
        Item: { ...storedOf(replay), listed: ALL, waiting: ALL, wakeAt: replay.acceptedAt.getTime() },
        ConditionExpression: 'attribute_not_exists(replayId)',
      })
      return kind === 'refused' && item ? replayIn(item) : replay
    },

    async find(replayId) {
      const item = await itemAt(documents, table, { replayId })
      return item && replayIn(item)
    },
  }
}

/** A write whose answer was lost counts as another worker's: the scan goes on. */
export function dynamoReplayRuns(documents: Documents, table: string): ReplayRuns {
  async function move({ replayId, step }: ReplayHint, set: Item, removal = ''): Promise<boolean> {
    const assigned = assignmentsOf({ ...set, step: step + 1 })
    const { kind } = await updateIf(documents, {
      TableName: table,
      Key: { replayId },
      UpdateExpression: `SET ${assigned.text}${removal}`,
      ConditionExpression: '#step = :before AND attribute_exists(waiting)',
      ExpressionAttributeValues: { ':before': step, ...assigned.values },
    })
    return kind === 'written'
  }

  return {
    note: (hint, { position, isListed }, wakeAt) => move(hint, { position, isListed, wakeAt: wakeAt.getTime() }),

    finish: (hint, counts) => move(hint, { ...counts, state: 'DONE' }, ' REMOVE waiting, wakeAt'),

    async waiting(now) {
      const { items } = await pageOf(documents, {
        TableName: table,
        IndexName: 'waiting',
        KeyConditionExpression: 'waiting = :waiting AND wakeAt <= :now',
        ExpressionAttributeValues: { ':waiting': ALL, ':now': now.getTime() },
      })
      return items.map(({ replayId, step }) => ({ replayId: String(replayId), step: Number(step) }))
    },
  }
}

/** The index `byTime` says which replays come next, the table says how far they are. */
export function dynamoReplayList(documents: Documents, table: string, pause: Pause = jitter): ReplayList {
  return {
    async list(after, limit) {
      const { items } = await pageOf(documents, {
        TableName: table,
        IndexName: 'byTime',
        ScanIndexForward: false,
        KeyConditionExpression: 'listed = :listed',
        ExpressionAttributeValues: { ':listed': ALL },
        Limit: limit + 1,
        ExclusiveStartKey: after && {
          listed: ALL,
          acceptedAt: after.acceptedAt.getTime(),
          replayId: after.replayId,
        },
      })
      const page = items
        .slice(0, limit)
        .map(({ replayId, acceptedAt }) => ({ replayId: String(replayId), acceptedAt: new Date(Number(acceptedAt)) }))
      const keys = page.map(({ replayId }) => ({ replayId }))
      const stored = rowsBy('replayId', await rowsAt(documents, table, keys, pause, {}))
      const rows = keys.map(({ replayId }) => stored.get(replayId)).filter((row) => row !== undefined)
      return {
        replays: rows.map(replayIn),
        next: items.length > limit ? page.at(-1) : undefined,
      }
    },
  }
}

function replayIn(found: Item): Replay {
  const { filter, position, waiting, wakeAt, listed, ...same } = found as unknown as ReplayItem
  return {
    ...same,
    ...timesIn(same, 'acceptedAt'),
    filter: { ...filter, ...timesIn(filter, 'from', 'to') },
    position: position && { ...position, id: BigInt(position.id.toString()) },
  }
}

interface Tables {
  readonly events: string
  readonly deliveries: string
}

/** Counts in the sparse indexes `byReplay`: a row is in one only once a replay has ordered it. */
export function dynamoReplayCounter(documents: Documents, { events, deliveries }: Tables): ReplayCounter {
  return {
    async count({ replayId, destination }) {
      const counts = { done: 0, failed: 0, waiting: 0 }
      const [table, fateOf] =
        destination === undefined ? ([events, fateOfEvent] as const) : ([deliveries, fateOfDelivery] as const)
      const query = {
        TableName: table,
        IndexName: 'byReplay',
        KeyConditionExpression: 'replayId = :replayId',
        ExpressionAttributeValues: { ':replayId': replayId },
      }
      for await (const items of pagesOf(documents, query)) for (const item of items) counts[fateOf(item)] += 1
      return counts
    },
  }
}

function fateOfEvent(item: Item): keyof ReplayCounts {
  const { status, attempts, nextRetryAt } = item as unknown as Pick<EventHead, 'status' | 'attempts' | 'nextRetryAt'>
  if (status === 'PROCESSED') return 'done'
  return status === 'FAILED' && (attempts > 0 || nextRetryAt === undefined) ? 'failed' : 'waiting'
}

function fateOfDelivery(item: Item): keyof ReplayCounts {
  const { status } = item as unknown as Pick<Delivery, 'status'>
  return status === 'DELIVERED' ? 'done' : status === 'DEAD' ? 'failed' : 'waiting'
}
