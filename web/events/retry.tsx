import { signal } from '@preact/signals'
import { isSessionOver, wordsOf } from '../ask.ts'
import { NewReplayDialog } from '../new-replay-dialog.tsx'
import { DialogButton } from '../ui/dialog.tsx'
import { tell } from '../ui/toast.tsx'
import { type EventOrder, fetchEvent, orderEvent } from './calls.ts'
import { place } from './navigation.tsx'
import { replayFilter } from './place.ts'
import { INDEX_DELAY_MS, list, refreshWithin } from './reading.ts'
import { type EventRecord, inPlace, type RecordKey, recordName } from './record.ts'

/** When to look for the end of a retry, in milliseconds after its order. */
const LOOKS_MS = [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 60_000, 120_000]

/** The events with a pending retry order. */
export const ordered = signal<ReadonlySet<string>>(new Set())

const WORDS = {
  retry: { done: 'Retry', none: 'No retry', you: 'retried', ended: 'failed again' },
  release: { done: 'Release', none: 'No release', you: 'released', ended: 'failed' },
} as const

/** Orders a run of a failed or held event now, and shows the result. */
export async function retry(key: RecordKey, order: EventOrder = 'retry'): Promise<void> {
  const name = recordName(key)
  if (ordered.peek().has(name)) return
  ordered.value = new Set([...ordered.peek(), name])
  try {
    const record = await orderEvent(key, order)
    replace(record)
    tell({ tone: 'run', title: `${WORDS[order].done} of ${record.eventType} requested`, text: key.eventId })
    void follow(key, order, LOOKS_MS)
  } catch (error) {
    tell({ tone: 'bad', title: `${WORDS[order].none}: ${wordsOf(error)}`, text: key.eventId })
  } finally {
    ordered.value = new Set([...ordered.peek()].filter((other) => other !== name))
  }
}

/** Replaces a record in the list. */
function replace(record: EventRecord): void {
  const known = list.peek()
  if (known) list.value = inPlace(known, { ...known, events: [record] })
  refreshWithin(INDEX_DELAY_MS)
}

async function follow(key: RecordKey, order: EventOrder, [wait, ...later]: readonly number[]): Promise<void> {
  if (wait === undefined || isSessionOver.peek()) return
  await new Promise((resolve) => setTimeout(resolve, wait))
  const record = await fetchEvent(key).catch(() => undefined)
  if (record === undefined || !isFinished(record)) return follow(key, order, later)
  replace(record)
  const { you, ended } = WORDS[order]
  if (record.status === 'PROCESSED')
    return tell({ tone: 'ok', title: `${record.eventType} is processed`, text: `You ${you} ${key.eventId}.` })
  const reason = record.errorMessage ?? 'Its history says why.'
  tell({ tone: 'bad', title: `${record.eventType} ${ended}`, text: `You ${you} ${key.eventId}. ${reason}` })
}

function isFinished({ status }: EventRecord): boolean {
  return status === 'PROCESSED' || status === 'FAILED'
}

/** Orders a replay of the failed events that match the filter. */
export function ReplayButton() {
  const { filter } = place.value
  if (!filter.status.includes('FAILED') && filter.attention === '') return null
  const isOffered = filter.source.length <= 1 && filter.type.length <= 1
  return (
    <DialogButton
      icon="retry"
      disabled={!isOffered}
      title={isOffered ? undefined : 'Choose at most one source and one type.'}
      dialog={(close) => (
        <NewReplayDialog
          initial={replayFilter(filter, new Date())}
          close={close}
          done={async () => refreshWithin(INDEX_DELAY_MS)}
        />
      )}
    >
      Retry all …
    </DialogButton>
  )
}
