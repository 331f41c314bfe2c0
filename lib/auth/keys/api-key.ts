import { Buffer } from 'node:buffer'
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { fail, type ServiceError } from '../../errors.ts'
import type { HeldKey, Principal } from '../principal.ts'

/** A key that lets a machine read events, as it is kept: of its secret only the hash. */
export interface ApiKey {
  readonly id: string
  readonly name: string
  /** The sources whose events it reads; all if absent. */
  readonly sources?: readonly string[] | undefined
  /** SHA-256, base64url. */
  readonly secretHash: string
  readonly createdAt: Date
  /** The admin's name then. */
  readonly createdBy: string
  /** The id of the admin's account, to which the key belongs. */
  readonly uid: string
  /** The admin's login that made it. */
  readonly loginAt: Date
  /** It counts until just before. */
  readonly expiresAt: Date
  readonly lastUsedAt?: Date | undefined
}

/** What the check of keys asks of the table. */
export interface KeyReader {
  /** @throws ServiceError `UNAVAILABLE` */
  find(id: string): Promise<ApiKey | undefined>
  /**
   * Records the use of a key; does nothing if a use after `before` is recorded, or if the key is deleted.
   * @throws ServiceError `UNAVAILABLE`
   */
  noteUse(id: string, at: Date, before: Date): Promise<void>
}

/** What admins ask of the table. All methods throw ServiceError `UNAVAILABLE`. */
export interface KeyAdministration {
  /** @throws Error for an id that is taken */
  add(key: ApiKey): Promise<void>
  /**
   * So many keys at most, newest first.
   * @param after the id of the last key of the page before
   * @param uid only those of this account
   */
  list(limit: number, after: string | undefined, uid?: string): Promise<readonly ApiKey[]>
  find(id: string): Promise<ApiKey | undefined>
  /** @returns whether there was one */
  remove(id: string): Promise<boolean>
  /** Removes those of an account that were made by logins before a time. */
  removeAll(uid: string, before: Date): Promise<void>
}

/** The text of a key in its two parts. */
export interface KeyText {
  readonly id: string
  readonly secret: string
}

/** 63 bits as digits in base 36: the order of the texts is that of the numbers. */
const ID = /^[0-9a-z]{13}$/
const ID_LENGTH = 13

/** 32 bytes in base64url. */
const TEXT = /^ghk_([0-9a-z]{13})_([\w-]{43})$/

const SECRET_BYTES = 32

/** The id of a key, from an ordered one. */
export function keyIdOf(ordered: bigint): string {
  return ordered.toString(36).padStart(ID_LENGTH, '0')
}

export function isKeyId(text: string): boolean {
  return ID.test(text)
}

export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

export function keyTextOf({ id, secret }: KeyText): string {
  return `ghk_${id}_${secret}`
}

/** The parts of a key; undefined unless the text has exactly the form of a key. */
export function readKeyText(text: string): KeyText | undefined {
  const [, id, secret] = TEXT.exec(text) ?? []
  return id === undefined || secret === undefined ? undefined : { id, secret }
}

/** The stored hash of a secret. A secret of 256 random bits needs no slow hash: it cannot be guessed. */
export function secretHashOf(secret: string): string {
  return hashOf(secret).toString('base64url')
}

/** Compares in constant time, which it also takes without a hash. */
export function isSecretOf(secret: string, secretHash: string | undefined): boolean {
  const kept = secretHash === undefined ? NO_HASH : Buffer.from(secretHash, 'base64url')
  return timingSafeEqual(hashOf(secret), kept) && secretHash !== undefined
}

const NO_HASH = Buffer.alloc(32)

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** A caller that may read events; a key can be limited to some sources. */
export type EventViewer = Pick<Principal, 'key'>

export function mayRead({ key }: EventViewer, source: string): boolean {
  return key?.sources?.includes(source) ?? true
}

/**
 * The key of an event, if the caller may read it.
 * @throws ServiceError `KEY_OUT_OF_SCOPE`, whether the event exists or not
 */
export function readable<K extends { readonly source?: string | undefined }>({ key }: EventViewer, named: K): K {
  if (key && !mayRead({ key }, named.source ?? '')) throw outOfScope(key)
  return named
}

/**
 * A filter that finds only events that the caller may read.
 * @throws ServiceError `KEY_OUT_OF_SCOPE` for a filter with another source
 */
export function withinScope<F extends Named>(reader: EventViewer, filter: F): Omit<F, 'source'> & Named {
  const source = filter.source ?? reader.key?.sources
  for (const one of [source ?? []].flat()) readable(reader, { source: one })
  return { ...filter, source }
}

interface Named {
  readonly source?: string | readonly string[] | undefined
}

function outOfScope({ id, sources = [] }: HeldKey): ServiceError {
  return fail('KEY_OUT_OF_SCOPE', { keyId: id, sources })
}
