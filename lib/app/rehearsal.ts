import { Buffer } from 'node:buffer'
import type { Documents } from '../adapters/dynamodb/client.ts'
import { dynamoEventStore, type EventTables } from '../adapters/dynamodb/event-store.ts'
import { dynamoHeardStore } from '../adapters/dynamodb/heard-store.ts'
import { dynamoRateCounter } from '../adapters/dynamodb/rate-counter.ts'
import { unsent } from '../adapters/dynamodb/unsent.ts'
import { consoleLog } from '../runtime/log.ts'
import { systemTimers } from '../runtime/timers.ts'
import { logAudit } from '../webhooks/audit.ts'
import { createHeardNotes, hearingAudit } from '../webhooks/heard/notes.ts'
import { createInbox, type InboxParts } from '../webhooks/inbox.ts'
import type { RetryQueue } from '../webhooks/retry/queue.ts'
import type { EventSource } from '../webhooks/source.ts'
import { trustStored } from '../webhooks/verify.ts'

/** No caller has this name, and no tally this minute: the table answers and writes nothing. */
const NOBODY = '#'
const NEVER = { minute: -1, before: 0, taken: 0, spare: 0 }

const NO_QUEUE: RetryQueue = { send: async () => {} }

const EVERYBODY = { has: () => true }

/** A webhook that never came. */
export interface FirstWebhook {
  readonly source: EventSource
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

type RehearsalParts = Pick<InboxParts, 'policy' | 'clock' | 'ids'> & {
  readonly documents: Documents
  readonly tables: EventTables
  /** The table of the tallies. */
  readonly counters: string
}

/**
 * Does what the first webhook would have to wait for while the function starts: opens the connection to the store, and
 * runs the code of the intake once. It costs one write unit. Nothing is stored or counted; what it logs is discarded.
 */
export async function rehearse(first: FirstWebhook, given: RehearsalParts): Promise<void> {
  const { documents, tables, counters, ...parts } = given
  const { source, body, headers = {} } = first
  const nowhere = unsent(documents)
  const store = dynamoHeardStore(nowhere, counters)
  const log = consoleLog(
    () => parts.clock.now(),
    () => undefined,
  )
  const notes = createHeardNotes({ store, clock: parts.clock, timers: systemTimers, log })
  const audit = hearingAudit(logAudit(log), notes, EVERYBODY)
  const inbox = createInbox({ ...parts, queue: NO_QUEUE, log, audit, events: dynamoEventStore(nowhere, tables) })
  const connected = dynamoRateCounter(documents, counters).rollOver(NOBODY, NEVER, NEVER, parts.clock.now())
  const text = trustStored(Buffer.from(body))
  const proven = { covers: 'body', key: NOBODY, signedAt: parts.clock.now(), signed: () => [text] } as const
  // If the store cannot be reached, the first webhook meets the same error and reports it.
  await Promise.allSettled([connected, inbox.accept(source, { body: text, headers, proven })])
  await notes.written()
}
