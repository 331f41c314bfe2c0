import { toLocalDateTime } from '../../runtime/time.ts'
import { shownProof } from '../../webhooks/detail.ts'
import type { EventChange } from '../../webhooks/live/change.ts'
import type { ChangeReader } from '../../webhooks/live/feed.ts'
import { type EventItem, LIST_SHARDS, proofIn } from './event-item.ts'
import { type Documents, type Page, pagesAt } from './table.ts'

/** Page size: changes read from one shard of an index per request. */
const PAGE = 200

/** `byTime` holds every event by its intake, `byChange` those that have changed since, by their last change. */
const INDEXES = [
  { name: 'byTime', key: 'id' },
  { name: 'byChange', key: 'changeId' },
] as const

const KEYS = INDEXES.flatMap((index) => LIST_SHARDS.map((shard) => ({ ...index, shard })))

/** What the indexes hold of an event. */
type IndexItem = Pick<EventItem, keyof EventChange>

/** Two indexes of the events table: their keys are read side by side and merged. */
export function dynamoChangeReader(documents: Documents, table: string): ChangeReader {
  return {
    async after(position) {
      const queries = KEYS.map(({ name, key, shard }) => ({
        TableName: table,
        IndexName: name,
        KeyConditionExpression: `listShard = :shard AND ${key} > :position`,
        ExpressionAttributeValues: { ':shard': shard, ':position': position },
        Limit: PAGE,
      }))
      const read = await pagesAt(documents, queries)
      const pages = KEYS.map(({ key }, index) => partOf(read[index], key))
      const upTo = pages.reduce<bigint | undefined>((least, page) => earlier(least, page.upTo), undefined)
      const found = pages.flatMap(({ items }) => items.map(toChange))
      const complete = found.filter(({ changeId }) => upTo === undefined || BigInt(changeId) <= upTo)
      return { changes: complete.toSorted(byPosition), upTo }
    },
  }
}

/** The changes of one key, and up to where they are all. */
function partOf(page: Page | undefined, key: keyof IndexItem) {
  const { items = [], last } = page ?? {}
  const present = (items as unknown as IndexItem[]).filter((item) => key === 'changeId' || item.changeId === undefined)
  // Another row may have the last position too.
  return { items: present, upTo: last && BigInt(String(last[key])) - 1n }
}

function earlier(one: bigint | undefined, other: bigint | undefined): bigint | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one < other ? one : other
}

function byPosition({ changeId: one }: EventChange, { changeId: other }: EventChange): number {
  return one.length - other.length || (one < other ? -1 : 1)
}

function toChange({ id, changeId = id, source, proof, ...same }: IndexItem): EventChange {
  const { eventId, eventType, status, receivedAt } = same
  return {
    changeId: changeId.toString(),
    id: id.toString(),
    source,
    eventId,
    eventType,
    status,
    receivedAt: toLocalDateTime(new Date(receivedAt)),
    proof: shownProof(proofIn(proof, { source, receivedAt })),
  }
}
