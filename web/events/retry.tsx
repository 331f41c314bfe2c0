import { signal } from '@preact/signals'
import { isSessionOver, wordsOf } from '../ask.ts'
import { Button } from '../ui/button.tsx'
import { Field, Modal, textIn } from '../ui/dialog.tsx'
import { Problem } from '../ui/text.tsx'
import { tell } from '../ui/toast.tsx'
import { type EventOrder, fetchEvent, orderEvent, orderReplay, type StartedReplay } from './calls.ts'
import { place } from './navigation.tsx'
import { type Filter, rangeLabel, replayFilter } from './place.ts'
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

interface Order {
  readonly replayId: string
  readonly filter: object
}

/** The stages of running many events again. */
export type Stage =
  | { readonly kind: 'counting' }
  | { readonly kind: 'counted'; readonly order: Order; readonly matched: number }
  | { readonly kind: 'started'; readonly replay: StartedReplay }
  | { readonly kind: 'refused'; readonly problem: string }

/** Undefined while nobody asks for it. */
export const stage = signal<Stage | undefined>(undefined)

/** Whether a replay can select what the filter does: failed events, of at most one source and one type. */
export function isReplayOffered({ status, source, type }: Filter): boolean {
  return status.includes('FAILED') && source.length <= 1 && type.length <= 1
}

/** Counts the failed events that match the filter. */
export async function countReplay(): Promise<void> {
  stage.value = { kind: 'counting' }
  const order = { replayId: crypto.randomUUID(), filter: replayFilter(place.peek().filter, new Date()) }
  await attempt(async () => {
    const { matched } = await orderReplay<{ matched: number }>({ ...order, dryRun: true })
    return { kind: 'counted', order, matched }
  })
}

interface Manner {
  readonly ratePerSecond: number
  readonly reason?: string
}

/** Runs the counted events again. A second order with the same id would change nothing. */
export async function runReplay(order: Order, manner: Manner): Promise<void> {
  await attempt(async () => ({ kind: 'started', replay: await orderReplay<StartedReplay>({ ...order, ...manner }) }))
  refreshWithin(0)
}

async function attempt(step: () => Promise<Stage>): Promise<void> {
  try {
    stage.value = await step()
  } catch (error) {
    stage.value = { kind: 'refused', problem: wordsOf(error) }
  }
}

/** Counts all failed events that match the filter, and asks whether to run them again. */
export function ReplayButton() {
  const { filter } = place.value
  if (!filter.status.includes('FAILED')) return null
  const isOffered = isReplayOffered(filter)
  return (
    <>
      <Button
        icon="retry"
        disabled={!isOffered}
        title={isOffered ? undefined : 'Choose at most one source and one type.'}
        onClick={countReplay}
      >
        Retry all …
      </Button>
      {stage.value && (
        <Modal title="Retry all failed events that match" close={() => (stage.value = undefined)}>
          <Content current={stage.value} />
        </Modal>
      )}
    </>
  )
}

function Content({ current }: { readonly current: Stage }) {
  if (current.kind === 'counting') return <p role="status">Counting …</p>
  if (current.kind === 'counted') return <Question {...current} />
  if (current.kind === 'started') return <Started {...current} />
  return <Problem text={current.problem} />
}

function Question({ order, matched }: Extract<Stage, { kind: 'counted' }>) {
  function submit(event: SubmitEvent): void {
    event.preventDefault()
    const fields = new FormData(event.currentTarget as HTMLFormElement)
    const reason = textIn(fields, 'reason')
    void runReplay(order, { ratePerSecond: Number(fields.get('rate')), ...(reason !== '' && { reason }) })
  }

  const count = matched === 1 ? '1 failed event matches' : `${matched.toLocaleString('en')} failed events match`
  return (
    <form class="form" onSubmit={submit}>
      <p role="status">
        <strong>{count}</strong> ({rangeLabel(place.value.filter)}).
      </p>
      {matched > 0 && (
        <>
          <Field label="Reason, for the history of each event (optional)" name="reason" maxLength={256} />
          <Field label="Events per second" name="rate" type="number" min={1} max={1000} defaultValue={10} required />
          <button type="submit" class="btn main-btn">
            Retry {matched === 1 ? 'it' : `all ${matched.toLocaleString('en')}`}
          </button>
        </>
      )}
    </form>
  )
}

function Started({ replay: { replayId, matched } }: Extract<Stage, { kind: 'started' }>) {
  return (
    <div class="stack" role="status">
      <p>
        <strong>
          The replay of {matched === 1 ? '1 event' : `${matched.toLocaleString('en')} events`} has started.
        </strong>{' '}
        It goes on when you leave this page.
      </p>
      <a class="btn main-btn" href={`/console/replays?open=${encodeURIComponent(replayId)}`}>
        Show its progress
      </a>
    </div>
  )
}
