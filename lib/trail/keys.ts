import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { derivedKey } from '../auth/derived-key.ts'
import type { RingKey } from '../runtime/settings/key-ring.ts'
import { userKey } from '../users/user.ts'

/** The purposes of the trail's keys: a key for one is useless for another. */
type Purpose = 'line' | 'head' | 'newest' | 'name'

/** Verification needs the same one for each line. */
const kept = new WeakMap<RingKey, Map<Purpose, KeyObject>>()

function keyFor(ringKey: RingKey, purpose: Purpose): KeyObject {
  const keys = kept.get(ringKey) ?? new Map<Purpose, KeyObject>()
  const key = keys.get(purpose) ?? createSecretKey(derivedKey(ringKey.secret, `audit ${purpose}`))
  kept.set(ringKey, keys.set(purpose, key))
  return key
}

/** HMAC-SHA-256 of a text in base64url, with a key that is derived for the purpose (docs/decisions/0036). */
export function trailMac(key: RingKey, purpose: Purpose, text: string): string {
  return createHmac('sha256', keyFor(key, purpose)).update(text).digest('base64url')
}

/**
 * The keyed hash of a typed name, the same in any case, and for all texts that are nobody's name. The name may be a
 * password, so nobody must be able to guess it.
 */
export function nameHashOf(key: RingKey, name: string): string {
  return trailMac(key, 'name', userKey(name) ?? '')
}
