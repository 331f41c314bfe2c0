import { type ConsoleFacts, FACTS_ID } from '../lib/contract/console.ts'

/** What the server that rendered the page tells its script. */
export const facts: ConsoleFacts = JSON.parse(document.getElementById(FACTS_ID)?.textContent ?? '')
