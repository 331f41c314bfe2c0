import { deliveryHint } from '../../deliver/delivery.ts'
import type { DueDeliveries, DueDelivery } from '../../deliver/stores.ts'
import { type DeliveryItem, deliveryKey, dueShardsOf, eventKeyIn } from './delivery-item.ts'
import { pagesOf, rowsAt } from './lists.ts'
import { type Documents, jitter, type Pause, updateIf } from './table.ts'

const PAGE = 100

/** What the index shows of a row: nothing that a claim changes, which would cost a write more. */
type IndexItem = Pick<DeliveryItem, 'event' | 'destination' | 'receivedAt' | 'orderedAt' | 'expireAt'> & {
  readonly sweepAt: number
}

/** The sparse index `due` of the deliveries table. */
export function dynamoDueDeliveries(documents: Documents, table: string, pause: Pause = jitter): DueDeliveries {
  /** In the order of the times at which the scan looks at them. @param by leaves out what is looked at later */
  async function* shard(dueShard: string, by?: Date): AsyncGenerator<IndexItem, undefined> {
    const query = {
      TableName: table,
      IndexName: 'due',
      KeyConditionExpression: by ? 'dueShard = :shard AND sweepAt <= :by' : 'dueShard = :shard',
      ExpressionAttributeValues: { ':shard': dueShard, ':by': by?.getTime() },
      ...(by && { Limit: PAGE }),
    }
    for await (const items of pagesOf(documents, query)) yield* items as unknown as readonly IndexItem[]
    return undefined
  }

  /** The hints of rows, with the number of tries that they have had; a row that is over by now has none. */
  async function hinted(items: readonly IndexItem[]): Promise<readonly DueDelivery[]> {
    if (items.length === 0) return []
    const keys = items.map(({ event, destination }) => ({ event, destination }))
    const rows = await rowsAt(documents, table, keys, pause, {
      ProjectionExpression: '#event, destination, attempts, expireAt',
      ExpressionAttributeNames: { '#event': 'event' },
    })
    const attempts = new Map(rows.map((row) => [nameOf(row as unknown as IndexItem), Number(row['attempts'])]))
    return items.flatMap((item) => {
      const tried = attempts.get(nameOf(item))
      return tried === undefined ? [] : [toDue(item, tried)]
    })
  }

  async function countIn(dueShard: string, endingBy: Date) {
    let count = 0
    let oldest = Number.POSITIVE_INFINITY
    const ending: IndexItem[] = []
    for await (const item of shard(dueShard)) {
      const { orderedAt, receivedAt, expireAt } = item
      count += 1
      oldest = Math.min(oldest, orderedAt ?? receivedAt)
      if (expireAt * 1000 <= endingBy.getTime()) ending.push(item)
    }
    return { count, oldest, ending }
  }

  return {
    async *dueBy(destination, now) {
      for await (const page of inOrder(dueShardsOf(destination).map((name) => shard(name, now)))) yield hinted(page)
    },

    async postponeScan({ n, ...key }, until) {
      await updateIf(documents, {
        TableName: table,
        Key: deliveryKey(key),
        UpdateExpression: 'SET sweepAt = :until',
        ConditionExpression: 'attribute_exists(dueShard) AND attempts = :n',
        ExpressionAttributeValues: { ':until': until.getTime(), ':n': n },
        ReturnValues: 'NONE',
      })
    },

    async waiting(destination, endingBy = new Date(0)) {
      const counts = await Promise.all(dueShardsOf(destination).map((shard) => countIn(shard, endingBy)))
      const oldest = Math.min(...counts.map((each) => each.oldest))
      return {
        count: counts.reduce((sum, { count }) => sum + count, 0),
        oldest: Number.isFinite(oldest) ? new Date(oldest) : undefined,
        ending: await hinted(counts.flatMap(({ ending }) => ending).slice(0, PAGE)),
      }
    },
  }
}

function nameOf({ event, destination }: Pick<IndexItem, 'event' | 'destination'>): string {
  return `${destination}\0${event}`
}

function toDue({ event, destination, sweepAt }: IndexItem, attempts: number): DueDelivery {
  return { hint: deliveryHint({ ...eventKeyIn(event), destination, attempts }), sweepAt: new Date(sweepAt) }
}

/** What several shards give, each in order, in one order. */
async function* inOrder(shards: readonly AsyncIterator<IndexItem, undefined>[]) {
  const heads = await Promise.all(shards.map(async (rest) => ({ rest, next: await rest.next() })))
  let page: IndexItem[] = []
  for (let first = earliest(heads); first; first = earliest(heads)) {
    page.push(first.due)
    first.head.next = await first.head.rest.next()
    if (page.length < PAGE) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

interface Head {
  readonly rest: AsyncIterator<IndexItem, undefined>
  next: IteratorResult<IndexItem, undefined>
}

function earliest(heads: readonly Head[]) {
  const waiting = heads.flatMap((head) => (head.next.done ? [] : [{ head, due: head.next.value }]))
  return waiting.toSorted((one, other) => one.due.sweepAt - other.due.sweepAt).at(0)
}
