import { randomBytes, randomInt } from 'node:crypto'
import { TRANSACTION_SECONDS } from './transaction.ts'

/** A cookie to write; one without a value goes. */
export interface CookieChange {
  readonly name: string
  readonly value?: string
  readonly maxAge: number
}

/**
 * As many logins as one browser may have under way at once, each in a cookie of its own. However often a login is
 * begun, their cookies stay below 7,000 of the 10,240 bytes that a gateway takes for all headers of a request.
 */
const SLOTS = [...'01234567']

/** Tells a start in which slots transactions are: the latest first. */
const TABS_COOKIE = 'oauth2_tabs'

/** The slot of a new login: one that is not in use, else the one that waits for the longest time. */
export function takeSlot(tabs: string): string {
  const used = slotsOf(tabs)
  const unused = SLOTS.filter((slot) => !used.includes(slot))
  return unused[randomInt(Math.max(1, unused.length))] ?? used.at(-1) ?? '0'
}

export function tabsOf(cookies: ReadonlyMap<string, string>): string {
  return cookies.get(TABS_COOKIE) ?? ''
}

/** A state that nobody guesses, and that tells at the callback in which slot its transaction is. */
export function newState(slot: string): string {
  return slot + randomBytes(32).toString('base64url')
}

export function slotOf(state: string): string | undefined {
  return SLOTS.find((slot) => state.startsWith(slot))
}

export function transactionCookie(slot: string): string {
  return `oauth2_tx_${slot}`
}

/** The cookies that a begun login leaves. */
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
