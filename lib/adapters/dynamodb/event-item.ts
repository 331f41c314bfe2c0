import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import {
  type EventHead,
  type EventKey,
  type HistoryEntry,
  type Proof,
  type ProofLevel,
  type WebhookEvent,
  withEntry,
} from '../../webhooks/event.ts'
import { changeIdOf } from '../../webhooks/live/cursor.ts'
import type { PresentEvent } from '../../webhooks/place.ts'
import { headersIn, type PackedBytes, packedHeaders, type StoredBody } from './stored-body.ts'
import { assignmentsOf, type Item, type Stored, storedOf, timeAt, timesIn, ttlAt } from './table.ts'

/** What is packed, or stands under another name. */
type Packed =
  | 'repeatsUntil'
  | 'payload'
  | 'payloadSha256'
  | 'contentSha256'
  | 'proof'
  | 'headers'
  | 'history'
  | 'endsAt'

/** An event as the table holds it; `processedAt` is absent where it is `receivedAt`. */
export interface EventItem extends Stored<Omit<WebhookEvent, Packed>>, Partial<PackedBytes> {
  /** Present for a body that is stored beside the item. */
  readonly payloadParts?: number | undefined
  /** The `id` of the event, by which its parts are named. */
  readonly partsOf?: string | undefined
  /** Of the payload; every byte of a name costs, too. */
  readonly sha256: Uint8Array
  readonly contentSha256?: Uint8Array | undefined
  /** How long after its receipt its sender may repeat it, in seconds. */
  readonly rs?: number | undefined
  readonly proof: string
  /** Bytes beside a compressed body. */
  readonly headers: WebhookEvent['headers'] | Uint8Array
  /** Absent while its intake processed it, and nothing else was done with it. */
  readonly history?: readonly HistoryItem[] | undefined
  /** With `sweepAt` the key of the sparse index `due`: present while the event waits for a run. */
  readonly dueShard?: string | undefined
  readonly sweepAt?: number | undefined
  /** With `id` the key of the index `byTime`: only events carry it, whatever else the table holds. */
  readonly listShard?: string | undefined
  /** With `listShard` the key of the sparse index `byChange`: where the event's last change stands, once it has changed. */
  readonly changeId?: Stored<bigint> | undefined
  /** When it ends, in seconds. */
  readonly expireAt: number
}

type HistoryItem = Stored<HistoryEntry>

/** The index is spread over a few keys, so that a storm of failures does not throttle the intake. */
export const DUE_SHARDS = ['due-0', 'due-1', 'due-2', 'due-3'] as const

/** The index of all events by time is spread in the same way; a list reads all of its keys. */
export const LIST_SHARDS = ['list-0', 'list-1', 'list-2', 'list-3'] as const

/** The item of a new event; a body that does not fit it is stored before. */
export function toItem(event: WebhookEvent, body: StoredBody, endsAt: Date): EventItem {
  const { payload, payloadDeletedAt: _, endsAt: _end, headers, history, proof, payloadSha256, ...known } = event
  const { contentSha256, repeatsUntil, ...same } = known
  const due = event.status === 'RECEIVED' && !event.held ? event.receivedAt : event.nextRetryAt
  const isImplied = isAtOnce(event)
  return {
    ...storedOf(same),
    ...body,
    expireAt: ttlAt(endsAt),
    processedAt: isImplied ? undefined : storedOf(event.processedAt),
    headers: packedHeaders(headers, payload),
    history: isImplied ? undefined : storedOf(history),
    proof: proofText(proof, event),
    rs: repeatsUntil && (repeatsUntil.getTime() - event.receivedAt.getTime()) / 1000,
    sha256: Buffer.from(payloadSha256, 'hex'),
    contentSha256: contentSha256 === undefined ? undefined : Buffer.from(contentSha256, 'hex'),
    listShard: shardOf(LIST_SHARDS, payloadSha256),
    ...(due && { dueShard: shardOf(DUE_SHARDS, payloadSha256), sweepAt: due.getTime() }),
  }
}

/** Whether the history of an event is what its status and its time say already. */
function isAtOnce({ status, receivedAt, processedAt, history }: WebhookEvent): boolean {
  const [move, second] = history
  const moment = receivedAt.getTime()
  const isIntakes = status === 'PROCESSED' && move?.status === status && move.by === 'intake' && second === undefined
  return isIntakes && move.reason === undefined && processedAt?.getTime() === moment && move.at.getTime() === moment
}

/** A row may have left the index of due rows: any of its shards takes it back. */
export function dueShardOf({ eventId }: Pick<EventKey, 'eventId'>): string {
  return shardOf(DUE_SHARDS, createHash('sha256').update(eventId).digest('hex'))
}

/** The place in an index by time of a row that is named by a text. */
export function listShardOf(name: string): string {
  return shardOf(LIST_SHARDS, createHash('sha256').update(name).digest('hex'))
}

/** What an item says of its event without its body being read. */
export function headOf(item: EventItem): EventHead {
  const {
    dueShard,
    sweepAt,
    listShard,
    changeId,
    payload,
    coding,
    payloadParts,
    partsOf,
    sha256,
    expireAt,
    rs,
    ...same
  } = item
  return {
    ...same,
    id: BigInt(item.id.toString()),
    payloadSha256: hashIn(sha256),
    contentSha256: item.contentSha256 && hashIn(item.contentSha256),
    ...timesIn(item, 'receivedAt', 'nextRetryAt', 'leaseUntil', 'orderedAt', 'payloadDeletedAt'),
    repeatsUntil: timeAt(rs && item.receivedAt + rs * 1000),
    processedAt: processedAtIn(item),
    endsAt: new Date(expireAt * 1000),
    ...remarksOf(item),
    headers: headersIn(item.headers),
    history: historyIn(item).map((entry) => ({ ...entry, ...timesIn(entry, 'at') })),
  }
}

/** What {@link presentOf} reads. */
export const COMPARED = ['id', 'source', 'eventId', 'receivedAt', 'sha256', 'contentSha256', 'idConflict'] as const

/** What a copy of an item's event is compared with. */
export function presentOf(item: Pick<EventItem, (typeof COMPARED)[number]>): PresentEvent {
  const { id, source, eventId, receivedAt, sha256, contentSha256, idConflict } = item
  return {
    id: BigInt(id.toString()),
    source,
    eventId,
    receivedAt: new Date(receivedAt),
    payloadSha256: hashIn(sha256),
    contentSha256: contentSha256 && hashIn(contentSha256),
    idConflict: conflictIn(idConflict),
  }
}

/** Also of a row of an index. */
export function processedAtIn({
  status,
  receivedAt,
  processedAt,
}: Pick<EventItem, 'status' | 'receivedAt' | 'processedAt'>) {
  return timeAt(processedAt ?? (status === 'PROCESSED' ? receivedAt : undefined))
}

function historyIn({ history, status, receivedAt }: EventItem): readonly HistoryItem[] {
  return history ?? [{ at: receivedAt, status, by: 'intake' }]
}

/** How an event is proven, and what came under its id. */
export function remarksOf({ proof, idConflict, ...received }: Noticed) {
  return {
    proof: proofIn(proof, received),
    idConflict: conflictIn(idConflict),
  }
}

function conflictIn(idConflict: EventItem['idConflict']): WebhookEvent['idConflict'] {
  return idConflict && { ...idConflict, ...timesIn(idConflict, 'lastAt') }
}

type Noticed = Pick<EventItem, 'source' | 'receivedAt' | 'proof' | 'idConflict'>

/** A stored hash in hexadecimal digits. */
function hashIn(stored: Uint8Array): string {
  return Buffer.from(stored).toString('hex')
}

/** One of some keys, chosen by a hash in hexadecimal digits. */
export function shardOf(shards: readonly [string, ...string[]], hash: string): string {
  return shards[Number.parseInt(hash.slice(0, 2), 16) % shards.length] ?? shards[0]
}

/**
 * A level, `~t` and `~i` if type or id are not signed though there is a signature, `!` if the call was stale, how long
 * before the receipt it was signed, in milliseconds, or `-`, and the secret's label.
 */
const TEXT = /^(\w+?)(~t)?(~i)?(!?)(?: (-|-?\d+)(?: (.+))?)?$/

/** Of these levels it goes without saying that nothing is signed. */
const UNSIGNED: readonly string[] = ['token', 'none'] satisfies ProofLevel[]

/** A secret without a label of its own is called by its source and its place. */
const PLACE = /^#\d+$/

/** A proof in few bytes, because every event has one: `full 678 #1`. */
function proofText(
  { level, key = '', signedAt, typeSigned, idSigned, stale }: Proof,
  { source, receivedAt }: Pick<WebhookEvent, 'source' | 'receivedAt'>,
): string {
  const place = key.startsWith(source) ? key.slice(source.length) : ''
  const label = PLACE.test(place) ? place : key
  const isPlain = UNSIGNED.includes(level)
  const marks = [typeSigned || isPlain ? '' : '~t', idSigned || isPlain ? '' : '~i', stale ? '!' : ''].join('')
  const age = signedAt && receivedAt.getTime() - signedAt.getTime()
  return [level + marks, age ?? '-', label].join(' ').replace(/(?: -)? $/, '')
}

export function proofIn(text: string, { source, receivedAt }: Pick<EventItem, 'source' | 'receivedAt'>): Proof {
  const [, level = 'none', openType, openId, stale, age, label] = TEXT.exec(text) ?? []
  return {
    level: level as ProofLevel,
    typeSigned: openType === undefined && !UNSIGNED.includes(level),
    idSigned: openId === undefined && !UNSIGNED.includes(level),
    ...(label && { key: PLACE.test(label) ? source + label : label }),
    ...(age && age !== '-' && { signedAt: new Date(receivedAt - Number(age)) }),
    ...(stale && { stale: true }),
  }
}

/** One step of the state machine: the row's status becomes that of the history entry. */
export interface Move {
  readonly entry: HistoryEntry
  /**
   * The history as the owner of the run read it; only the owner adds to it. A long one is shortened and rewritten; a
   * single move may not be stored yet.
   */
  readonly history?: EventHead['history'] | undefined
  /** Whether the change feed publishes it. */
  readonly isPublished: boolean
  /** Undefined values are left alone. */
  readonly set: Item
  readonly remove?: readonly string[]
  readonly when: string
  readonly values: Item
}

/** The conditional update of the events table that makes a move. */
export function moveOf(table: string, { source, eventId }: EventKey, move: Move) {
  const { entry, history = [], isPublished, set, remove = [], when, values } = move
  const shortened = withEntry(history, entry)
  const isLong = shortened.length <= history.length
  const isImplied = history.length === 1 && !isLong
  const stored = isImplied ? 'if_not_exists(history, :first)' : 'history'
  const changeId = isPublished ? changeIdOf({ source, eventId }, entry.at) : undefined
  const assigned = assignmentsOf({ status: entry.status, changeId, ...set })
  const removal = remove.length > 0 ? ` REMOVE ${remove.join(', ')}` : ''
  return {
    TableName: table,
    Key: { source, eventId },
    UpdateExpression: `SET ${assigned.text}, history = ${isLong ? ':history' : `list_append(${stored}, :history)`}${removal}`,
    ConditionExpression: when,
    ExpressionAttributeValues: {
      ':history': storedOf(isLong ? shortened : [entry]),
      ...(isImplied && { ':first': storedOf(history) }),
      ...values,
      ...assigned.values,
    },
  }
}
