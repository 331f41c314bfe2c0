import { Buffer, isUtf8 } from 'node:buffer'
import type { BusMessage } from './bus.ts'

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
