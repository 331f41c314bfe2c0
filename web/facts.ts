import { type ConsoleFacts, FACTS_ID } from '../lib/contract/console.ts'

/** What the server that rendered the page tells its script. */
export const facts: ConsoleFacts = JSON.parse(document.getElementById(FACTS_ID)?.textContent ?? '')

/** Only a local run has demo users. */
export const isLocal = facts.demoUsers.length > 0
