import { signal } from '@preact/signals'
import { isSessionOver, wordsOf } from '../ask.ts'
import { tell } from '../ui/toast.tsx'
import { fetchEvent, retryEvent } from './calls.ts'
import { inPlace } from './event-list.ts'
import { list, refreshWithin, SETTLE_MS } from './reading.ts'
import { type EventRecord, type RecordKey, recordName } from './record.ts'

/** When to look for the end of a retry, in milliseconds after its order. */
const LOOKS_MS = [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 60_000, 120_000]

/** The events with a pending retry order. */
export const ordered = signal<ReadonlySet<string>>(new Set())

/** Orders a run of a failed event now, and shows the result. */
export async function retry(key: RecordKey): Promise<void> {
  const name = recordName(key)
  if (ordered.peek().has(name)) return
  ordered.value = new Set([...ordered.peek(), name])
  try {
    const record = await retryEvent(key)
    replace(record)
    tell({ tone: 'run', title: `Retry of ${record.eventType} requested`, text: key.eventId })
    void follow(key, LOOKS_MS)
  } catch (error) {
    tell({ tone: 'bad', title: `No retry: ${wordsOf(error)}`, text: key.eventId })
  } finally {
    ordered.value = new Set([...ordered.peek()].filter((other) => other !== name))
  }
}

/** Replaces a record in the list. */
function replace(record: EventRecord): void {
  const known = list.peek()
  if (known) list.value = inPlace(known, { ...known, events: [record] })
  refreshWithin(SETTLE_MS)
}

async function follow(key: RecordKey, [wait, ...later]: readonly number[]): Promise<void> {
  if (wait === undefined || isSessionOver.peek()) return
  await new Promise((resolve) => setTimeout(resolve, wait))
  const record = await fetchEvent(key).catch(() => undefined)
  if (record === undefined || !isFinished(record)) return follow(key, later)
  replace(record)
  if (record.status === 'PROCESSED')
    return tell({ tone: 'ok', title: `${record.eventType} is processed`, text: `You retried ${key.eventId}.` })
  const reason = record.errorMessage ?? 'Its history says why.'
  tell({ tone: 'bad', title: `${record.eventType} failed again`, text: `You retried ${key.eventId}. ${reason}` })
}

function isFinished({ status }: EventRecord): boolean {
  return status === 'PROCESSED' || status === 'FAILED'
}
