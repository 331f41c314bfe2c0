import { randomBytes, randomInt } from 'node:crypto'
import { TRANSACTION_SECONDS } from './transaction.ts'

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
