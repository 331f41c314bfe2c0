import type { EventKey, WebhookEvent } from '../../webhooks/event.ts'
import type { BatchItem } from '../../webhooks/identity.ts'
import { rowsAt, rowsBy } from './lists.ts'
import type { Pause } from './table.ts'
import { type Documents, ttlAt, writeBatch } from './table.ts'

/** Digits of an element's number in its key, so that keys sort as numbers do. */
const DIGITS = 7

/** No source has such a name, so no event can stand there. @param number counted from 1 */
function keyOf({ source, eventId }: EventKey, number: number): EventKey {
  return { source: `${source}#items/${eventId}`, eventId: String(number).padStart(DIGITS, '0') }
}

/** Writes an element of a batch beside its event. @param number counted from 1 */
export function putElement(table: string, event: EndingEvent, item: BatchItem, number: number) {
  return { Put: { TableName: table, Item: rowOf(event, item, number) } }
}

/** An event, and when it ends. */
type EndingEvent = EventKey & Pick<WebhookEvent, 'endsAt'>

function rowOf(event: EndingEvent, { eventId: itemId, eventType }: BatchItem, number: number) {
  return { ...keyOf(event, number), itemId, eventType, expireAt: event.endsAt && ttlAt(event.endsAt) }
}

/**
 * Writes all elements of a batch; doing it again changes nothing.
 * @throws ServiceError `UNAVAILABLE`
 */
export async function writeElements(
  documents: Documents,
  table: string,
  event: EndingEvent,
  items: readonly BatchItem[],
  pause: Pause,
): Promise<void> {
  const puts = items.map((item, index) => rowOf(event, item, index + 1))
  const writes = puts.map((row) => ({ PutRequest: { Item: row } }))
  await writeBatch(documents, table, writes, pause)
}

/** Deletes the elements of a batch; doing it again changes nothing. @throws ServiceError `UNAVAILABLE` */
export async function deleteElements(
  documents: Documents,
  table: string,
  event: EventKey,
  count: number,
  pause: Pause,
): Promise<void> {
  const keys = Array.from({ length: count }, (_, index) => keyOf(event, index + 1))
  const writes = keys.map((key) => ({ DeleteRequest: { Key: key } }))
  await writeBatch(documents, table, writes, pause)
}

/**
 * The first elements of a batch, in order; those that are not written yet are left out.
 * @throws ServiceError `UNAVAILABLE`
 */
export async function readElements(
  documents: Documents,
  table: string,
  event: EventKey,
  count: number,
  pause: Pause,
): Promise<readonly BatchItem[]> {
  const keys = Array.from({ length: count }, (_, index) => keyOf(event, index + 1))
  const rows = rowsBy('eventId', await rowsAt(documents, table, keys, pause))
  return keys
    .map(({ eventId }) => rows.get(eventId))
    .filter((row) => row !== undefined)
    .map(({ itemId, eventType }) => ({ eventId: itemId, eventType }) as BatchItem)
}
