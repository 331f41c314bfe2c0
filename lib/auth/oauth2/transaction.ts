import { hkdfSync, randomBytes, randomInt } from 'node:crypto'
import { EncryptJWT, jwtDecrypt } from 'jose'
import * as z from 'zod/mini'
import type { Current } from '../../runtime/secrets.ts'
import type { Clock } from '../../runtime/time.ts'

/** A login on its way through a provider; only the browser that began it holds it, and cannot read it. */
export interface Transaction {
  readonly registrationId: string
  readonly state: string
  readonly nonce: string
  /** RFC 7636 */
  readonly codeVerifier: string
  readonly returnTo: string
}

export interface LoginTransactions {
  seal(transaction: Transaction): Promise<string>
  /** Undefined for a text that we did not seal, or not in the last ten minutes. */
  open(text: string): Promise<Transaction | undefined>
}

const TRANSACTION_SECONDS = 600

const AUDIENCE = 'oauth2-tx'
const HEADER = { alg: 'dir', enc: 'A256GCM' } as const
const MAXIMUM_LENGTH = 2048

const shape = z.object({
  registrationId: z.string(),
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  returnTo: z.string(),
})

/** @param keys of 32 bytes; the first seals */
export function createTransactions(keys: Current<readonly Uint8Array[]>, clock: Clock): LoginTransactions {
  return {
    seal(transaction) {
      const [newest = new Uint8Array()] = keys.current
      const expiresAt = new Date(clock.now().getTime() + TRANSACTION_SECONDS * 1000)
      const token = new EncryptJWT({ ...transaction }).setProtectedHeader(HEADER)
      return token.setAudience(AUDIENCE).setExpirationTime(expiresAt).encrypt(newest)
    },
    async open(text) {
      if (text.length > MAXIMUM_LENGTH) return undefined
      const opened = await Promise.all(keys.current.map((key) => decrypted(text, key, clock.now())))
      return opened.find((transaction) => transaction !== undefined)
    },
  }
}

async function decrypted(text: string, key: Uint8Array, currentDate: Date): Promise<Transaction | undefined> {
  try {
    const { payload } = await jwtDecrypt(text, key, {
      audience: AUDIENCE,
      currentDate,
      requiredClaims: ['exp'],
      keyManagementAlgorithms: [HEADER.alg],
      contentEncryptionAlgorithms: [HEADER.enc],
    })
    return z.parse(shape, payload)
  } catch {
    return undefined
  }
}

/** A cookie to write; one without a value is removed. */
export interface CookieChange {
  readonly name: string
  readonly value?: string
  readonly maxAge: number
  /** Whether scripts of the page may read it. */
  readonly isReadable?: boolean
  /** The path of the pages that get it; all pages by default. */
  readonly path?: string
}

/**
 * The number of logins that one browser may have under way at once, each in its own cookie. However often it starts
 * one, the cookies stay below 7,000 of the 10,240 bytes that a gateway accepts for all headers of a request.
 */
const SLOTS = [...'01234567']

/** The slots of the transactions under way, the latest first. */
const TABS_COOKIE = 'oauth2_tabs'

/** The slot of a new login: a free one, or else the one that has waited for the longest time. */
export function takeSlot(tabs: string): string {
  const used = slotsOf(tabs)
  const unused = SLOTS.filter((slot) => !used.includes(slot))
  return unused[randomInt(Math.max(1, unused.length))] ?? used.at(-1) ?? '0'
}

export function tabsOf(cookies: ReadonlyMap<string, string>): string {
  return cookies.get(TABS_COOKIE) ?? ''
}

/** A random state. Its first character is the slot of its transaction, which the callback needs. */
export function newState(slot: string): string {
  return slot + randomBytes(32).toString('base64url')
}

export function slotOf(state: string): string | undefined {
  return SLOTS.find((slot) => state.startsWith(slot))
}

export function transactionCookie(slot: string): string {
  return `oauth2_tx_${slot}`
}

/** The cookies of a started login. */
export function keepTransaction(slot: string, sealed: string, tabs: string): readonly CookieChange[] {
  const order = [slot, ...slotsOf(tabs).filter((other) => other !== slot)]
  return [
    { name: transactionCookie(slot), value: sealed, maxAge: TRANSACTION_SECONDS },
    { name: TABS_COOKIE, value: order.join(''), maxAge: TRANSACTION_SECONDS },
  ]
}

export function dropTransaction(slot: string): readonly CookieChange[] {
  return [{ name: transactionCookie(slot), maxAge: 0 }]
}

function slotsOf(tabs: string): readonly string[] {
  return [...new Set(tabs.slice(0, SLOTS.length))].filter((slot) => SLOTS.includes(slot))
}

/** Derives a key of 32 bytes for one purpose from a secret (RFC 5869). No key reveals another one, nor the secret. */
export function derivedKey(secret: string | Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), `gatehouse ${purpose}`, 32))
}
