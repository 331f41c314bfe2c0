import { type ConsoleFacts, FACTS_ID, loginAddress } from '../lib/contract/console.ts'

/** The facts that the server passes to the page's script. */
export const facts: ConsoleFacts = JSON.parse(document.getElementById(FACTS_ID)?.textContent ?? '')

/** Only a local run has demo users. */
export const isLocal = facts.demoUsers.length > 0

/** The login page that leads back to this page, as its address is now. */
export function loginHere(): string {
  return loginAddress(`${location.pathname}${location.search}`)
}
