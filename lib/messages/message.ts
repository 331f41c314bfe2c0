import { Buffer, isUtf8 } from 'node:buffer'
import type { Cancel } from '../runtime/async.ts'
import type { Announcement, FailedEvent } from '../webhooks/live/announcement.ts'

/** Where a message goes: to all who subscribed to a destination, or to those sessions of them that are one account's, by its id. */
export interface Topic {
  readonly destination: string
  readonly user?: string
}

export interface BusMessage extends Topic {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Carries each message to every process that has sessions, the sender's own included. */
export interface EventBus {
  /**
   * Publishes messages that belong together: everybody receives all of them, or none. The order of publication is the
   * order of delivery, everywhere. Settles once they are durable.
   * @throws ServiceError `PAYLOAD_TOO_LARGE`, or the error that stopped them
   */
  publish(messages: readonly BusMessage[]): Promise<void>
  attach(listener: (message: BusMessage) => void): Cancel
  /** Listeners receive what other processes publish while a listener has joined. */
  join(): Cancel
  /** Undefined once all that others publish from now on is received; else settles then, or when the store fails. */
  ready(): Promise<void> | undefined
}

/** What one writer stores at once. A writer counts its rows, so that readers find what is missing or repeated. */
export interface MessageRow {
  /** When it was written, in milliseconds since the epoch, by the writer's clock. */
  readonly at: number
  /** Names the writer. */
  readonly origin: string
  /** 1, 2, 3 and so on for an origin. */
  readonly number: number
  /** The number of the last row before this one that was stored; those between were given up. */
  readonly after: number
  /** JSON of the messages. */
  readonly content: string
}

export interface MessageStore {
  /** Stores a row; rejects when it may not have been stored. */
  put(row: MessageRow): Promise<void>
  /**
   * The rows that others have written from a time on, in the order of their times.
   * @param upTo the greatest time of any clock
   * @param own the writer who asks, and knows its own rows
   */
  since(from: number, upTo: number, own: string): Promise<readonly MessageRow[]>
}

/** The limit of a row's content in bytes: an item of DynamoDB holds 400 KB with its keys. The longest body fits in Base64. */
export const MAXIMUM_BYTES = 250_000

/** The text of a message in a row: as it is, or in Base64 where that is shorter or it is no text. */
export function messageText({ body, ...rest }: BusMessage): string {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const text = isUtf8(bytes) ? bytes.toString() : undefined
  const isShort = text !== undefined && Buffer.byteLength(JSON.stringify(text)) <= 2 + (bytes.length * 4) / 3 + 3
  return JSON.stringify({ ...rest, ...(isShort ? { text } : { base64: bytes.toString('base64') }) })
}

/** The content of a row. @param texts of its messages */
export function contentOf(texts: readonly string[]): string {
  return `[${texts.join()}]`
}

export const DEAD_DELIVERIES = '/topic/deliveries'
export const OWN_NOTICES = '/user/queue/notices'

/** What is announced, as a message to subscribed admins or to the sessions of one account. */
export function messageOf(announcement: Exclude<Announcement, FailedEvent>): BusMessage {
  if (announcement.kind === 'order') {
    const { orderedBy: user, notice } = announcement
    return { destination: OWN_NOTICES, user, ...json(notice) }
  }
  const { kind: _, ...delivery } = announcement
  return { destination: DEAD_DELIVERIES, ...json(delivery) }
}

function json(body: object) {
  return { headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) }
}
