import { Buffer } from 'node:buffer'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { fail } from '../../errors.ts'
import type { EventKey, EventStatus, HistoryEntry, WebhookEvent } from '../../webhooks/event.ts'

/** An event as the table holds it: times in milliseconds since the epoch. */
export interface EventItem extends EventKey {
  readonly id: bigint | number | { toString(): string }
  readonly eventType: string
  readonly status: EventStatus
  readonly receivedAt: number
  readonly processedAt?: number | undefined
  readonly attempts: number
  readonly nextRetryAt?: number | undefined
  readonly dead: boolean
  readonly errorMessage?: string | undefined
  readonly outcome?: string | undefined
  readonly payload: Uint8Array
  /** Absent for bytes that are stored as they came. */
  readonly payloadCoding?: 'br' | undefined
  readonly payloadSha256: string
  readonly headers: Readonly<Record<string, string>>
  readonly history: readonly HistoryItem[]
  readonly owner?: string | undefined
  readonly leaseUntil?: number | undefined
  /** With `sweepAt` the key of the sparse index `due`: present while the event waits for a run. */
  readonly dueShard?: string | undefined
  readonly sweepAt?: number | undefined
}

export interface HistoryItem {
  readonly at: number
  readonly status: EventStatus
  readonly by: HistoryEntry['by']
  readonly error?: string | undefined
}

/** Small bodies are not worth the work; large ones have to fit DynamoDB's 400 KB beside the other attributes. */
const COMPRESS_FROM_BYTES = 1024
const MAXIMUM_STORED_BYTES = 360_000
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** The index is spread over a few keys, so that a storm of failures does not throttle the intake. */
export const DUE_SHARDS = ['due-0', 'due-1', 'due-2', 'due-3'] as const

/** @throws ServiceError `PAYLOAD_TOO_LARGE` for a body that does not fit one item even compressed */
export function toItem(event: WebhookEvent): EventItem {
  const { receivedAt, processedAt, nextRetryAt, leaseUntil, payload, history, ...same } = event
  return {
    ...same,
    ...packed(payload),
    receivedAt: receivedAt.getTime(),
    processedAt: processedAt?.getTime(),
    nextRetryAt: nextRetryAt?.getTime(),
    leaseUntil: leaseUntil?.getTime(),
    history: history.map(toHistoryItem),
    ...(nextRetryAt && { dueShard: shardOf(event), sweepAt: nextRetryAt.getTime() }),
  }
}

export function toHistoryItem({ at, status, by, error }: HistoryEntry): HistoryItem {
  return { at: at.getTime(), status, by, error }
}

export function fromItem(item: EventItem): WebhookEvent {
  const { dueShard, sweepAt, payloadCoding, payload, ...same } = item
  return {
    ...same,
    id: BigInt(item.id.toString()),
    receivedAt: new Date(item.receivedAt),
    processedAt: toDate(item.processedAt),
    nextRetryAt: toDate(item.nextRetryAt),
    leaseUntil: toDate(item.leaseUntil),
    payload: payloadCoding === 'br' ? brotliDecompressSync(payload) : Buffer.from(payload),
    history: item.history.map(({ at, ...entry }) => ({ ...entry, at: new Date(at) })),
  }
}

function packed(payload: Buffer): Pick<EventItem, 'payload' | 'payloadCoding'> {
  const isSmall = payload.length < COMPRESS_FROM_BYTES
  const stored = isSmall ? payload : brotliCompressSync(payload, BROTLI)
  if (stored.length > MAXIMUM_STORED_BYTES) throw fail('PAYLOAD_TOO_LARGE')
  return isSmall ? { payload } : { payload: stored, payloadCoding: 'br' }
}

function shardOf({ payloadSha256 }: WebhookEvent): string {
  return DUE_SHARDS[Number.parseInt(payloadSha256.slice(0, 2), 16) % DUE_SHARDS.length] ?? DUE_SHARDS[0]
}

function toDate(milliseconds: number | undefined): Date | undefined {
  return milliseconds === undefined ? undefined : new Date(milliseconds)
}
