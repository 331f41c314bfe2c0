import { type ConsoleFacts, FACTS_ID } from '../lib/contract/console.ts'

/** The facts that the server passes to the page's script. */
export const facts: ConsoleFacts = JSON.parse(document.getElementById(FACTS_ID)?.textContent ?? '')

/** Only a local run has demo users. */
export const isLocal = facts.demoUsers.length > 0
