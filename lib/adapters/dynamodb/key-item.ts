import type { ApiKey } from '../../auth/keys/api-key.ts'
import { ttlAt } from './ttl.ts'

/** The partition of all keys. */
const KIND = 'key'

/** An ended key stays in the list for 30 days, so that an administrator can see why it is refused. */
const KEPT_SECONDS = 30 * 24 * 60 * 60

/** Times in milliseconds since the epoch; `ttl`, in seconds, lets DynamoDB clear away what ended long ago. */
export interface KeyItem {
  readonly kind: string
  readonly id: string
  readonly name: string
  readonly sources?: readonly string[] | undefined
  readonly secretHash: string
  readonly createdAt: number
  readonly createdBy: string
  readonly expiresAt: number
  readonly lastUsedAt?: number | undefined
  readonly ttl: number
}

export function rowOf(id: string) {
  return { kind: KIND, id }
}

export function keyItemOf({ id, name, sources, secretHash, createdAt, createdBy, expiresAt }: ApiKey): KeyItem {
  return {
    ...rowOf(id),
    name,
    sources,
    secretHash,
    createdAt: createdAt.getTime(),
    createdBy,
    expiresAt: expiresAt.getTime(),
    ttl: ttlAt(expiresAt) + KEPT_SECONDS,
  }
}

export function keyOfItem(item: KeyItem): ApiKey {
  const { id, name, sources, secretHash, createdAt, createdBy, expiresAt, lastUsedAt } = item
  return {
    id,
    name,
    ...(sources && { sources }),
    secretHash,
    createdAt: new Date(createdAt),
    createdBy,
    expiresAt: new Date(expiresAt),
    ...(lastUsedAt !== undefined && { lastUsedAt: new Date(lastUsedAt) }),
  }
}
