import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { EventKey, WebhookEvent } from '../../webhooks/event.ts'
import type { BatchItem } from '../../webhooks/identity.ts'
import { deflated, inflated } from './dictionary.ts'
import { rowsAt, rowsBy } from './lists.ts'
import { type Documents, type Pause, ttlAt, writeBatch } from './table.ts'

type Headers = WebhookEvent['headers']

/** Bytes in an item. */
export interface PackedBytes {
  readonly payload: Uint8Array
  /** Brotli, or deflate with the {@link deflated dictionary}; absent for bytes that are stored as they came. */
  readonly coding?: 'br' | 'd1' | undefined
}

/** A body as its event's item holds it: in itself, or in so many parts beside it. */
export type StoredBody = PackedBytes | StoredParts

export interface StoredParts {
  readonly payloadParts: number
  /** The `id` of the event. */
  readonly partsOf: string
}

/** An event's item costs one unit up to 1 KB; with a smaller body it is below that in any case. */
const COMPRESS_FROM_BYTES = 384
/** Up to here the dictionary brings more than Brotli's better compression. */
const MAXIMUM_DICTIONARY_BYTES = 16_384
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** Leaves room in the 400 KB of an item for headers and a long history. */
const MAXIMUM_INLINE_BYTES = 300_000

/** A transaction doubles what its items cost to write; above this a body costs less beside its event. */
const MAXIMUM_TRANSACTED_BYTES = 3072

/** Of the body as received, so that a part holds the same bytes however it is compressed. */
const PART_BYTES = 350_000

/**
 * A body that fits its event's item, or undefined.
 * @param isAlone whether the item is written by itself, not in a transaction
 */
export function inlineBody(body: Buffer, isAlone: boolean): PackedBytes | undefined {
  const packed = pack(body)
  return packed.payload.length > (isAlone ? MAXIMUM_INLINE_BYTES : MAXIMUM_TRANSACTED_BYTES) ? undefined : packed
}

function isCompressed(body: Buffer): boolean {
  return body.length >= COMPRESS_FROM_BYTES
}

/** The headers of a call, in a few bytes where its body is compressed too. */
export function packedHeaders(headers: Headers, body: Buffer): Headers | Uint8Array {
  return isCompressed(body) ? deflated(Buffer.from(JSON.stringify(headers))) : headers
}

export function headersIn(stored: Headers | Uint8Array): Headers {
  return stored instanceof Uint8Array ? JSON.parse(inflated(stored).toString()) : stored
}

function unpack({ payload, coding }: PackedBytes): Buffer {
  if (coding === 'd1') return inflated(payload)
  return coding === 'br' ? brotliDecompressSync(payload) : Buffer.from(payload)
}

function pack(bytes: Buffer): PackedBytes {
  if (!isCompressed(bytes)) return { payload: bytes }
  const compressed =
    bytes.length > MAXIMUM_DICTIONARY_BYTES
      ? ({ payload: brotliCompressSync(bytes, BROTLI), coding: 'br' } as const)
      : ({ payload: deflated(bytes), coding: 'd1' } as const)
  return compressed.payload.length < bytes.length ? compressed : { payload: bytes }
}

/** Whose parts they are. */
type Owner = Pick<WebhookEvent, 'source'> & { readonly partsOf?: string | undefined }

/** No source has such a name, so no event can stand there; each part is a partition of its own, for the load. */
function partKey({ source, partsOf }: Owner, number: number) {
  return { source: `${source}#part/${partsOf}/${number}`, eventId: String(number) }
}

function partKeys(owner: Owner, count: number) {
  return Array.from({ length: count }, (_, number) => partKey(owner, number))
}

/**
 * Writes the parts of a large body, before the event that they belong to. No two events share a part, so that a payload can
 * be deleted.
 * @param endsAt when the event ends
 * @returns where they are
 * @throws ServiceError `UNAVAILABLE`
 */
export async function writeParts(
  documents: Documents,
  table: string,
  event: WebhookEvent,
  endsAt: Date,
  pause: Pause,
): Promise<StoredParts> {
  const place = { payloadParts: Math.ceil(event.payload.length / PART_BYTES), partsOf: String(event.id) }
  const puts = partKeys({ ...event, ...place }, place.payloadParts).map((key, number) => ({
    PutRequest: {
      Item: {
        ...key,
        ...pack(event.payload.subarray(number * PART_BYTES, (number + 1) * PART_BYTES)),
        expireAt: ttlAt(endsAt),
      },
    },
  }))
  await writeBatch(documents, table, puts, pause)
  return place
}

/** Deletes the parts of a body; doing it again changes nothing. @throws ServiceError `UNAVAILABLE` */
export async function deleteParts(
  documents: Documents,
  table: string,
  owner: Owner,
  count: number,
  pause: Pause,
): Promise<void> {
  const deletes = partKeys(owner, count).map((key) => ({ DeleteRequest: { Key: key } }))
  await writeBatch(documents, table, deletes, pause)
}

/** What an item says of its event's body. */
export type BodyPlace = Owner &
  Pick<WebhookEvent, 'payloadSha256'> &
  Partial<PackedBytes> & { readonly payloadParts?: number | undefined }

/**
 * The body of an event, byte for byte as it was received.
 * @throws ServiceError `UNAVAILABLE`, or Error when what is stored is not that body
 */
export async function readStoredBody(
  documents: Documents,
  table: string,
  item: BodyPlace,
  pause: Pause,
): Promise<Buffer> {
  const { payload, coding, payloadParts } = item
  if (payloadParts !== undefined) return readParts(documents, table, item, payloadParts, pause)
  if (payload !== undefined) return unpack({ payload, coding })
  throw new Error('an event is stored without its body')
}

async function readParts(
  documents: Documents,
  table: string,
  owner: Owner & Pick<WebhookEvent, 'payloadSha256'>,
  count: number,
  pause: Pause,
): Promise<Buffer> {
  const keys = partKeys(owner, count)
  const parts = rowsBy('eventId', await rowsAt(documents, table, keys, pause))
  const found = keys.map(({ eventId }) => parts.get(eventId)).filter((part) => part !== undefined)
  const body = Buffer.concat(found.map((part) => unpack(part as unknown as PackedBytes)))
  if (createHash('sha256').update(body).digest('hex') === owner.payloadSha256) return body
  throw new Error('the stored parts are not the body that was received')
}

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
