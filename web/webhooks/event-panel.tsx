import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { wordsOf } from '../ask.ts'
import { CodeFacts } from '../components/code-facts.tsx'
import { LiveTime } from '../components/live-time.tsx'
import { BatchItems } from './batch-items.tsx'
import { fetchEvent } from './calls.ts'
import { EventHistory } from './event-history.tsx'
import { EventProof } from './event-proof.tsx'
import { list, openEvent, place } from './feed.ts'
import { LookAlikes } from './look-alikes.tsx'
import { outcomeOf } from './outcome.ts'
import { Payload } from './payload.tsx'
import { type EventDetail, type RecordKey, recordName, recordTime } from './record.ts'
import { RetryButton } from './retry-button.tsx'
import { StatusBadge } from './status-badge.tsx'

/** The polling interval for an event without a final status, in milliseconds. */
const POLL_MS = 3000

/** The details of the open event. */
export function EventPanel() {
  const { open } = place.value
  return open === undefined ? null : <Panel key={recordName(open)} event={open} />
}

function Panel({ event }: { readonly event: RecordKey }) {
  const detail = useSignal<EventDetail | undefined>(undefined)
  const problem = useSignal<string | undefined>(undefined)
  const heading = useRef<HTMLHeadingElement>(null)
  const listed = list.value?.events.find((other) => recordName(other) === recordName(event))
  const version = listed && `${listed.status} ${listed.attempts} ${listed.nextRetryAt} ${listed.idConflict?.count}`

  async function read(): Promise<void> {
    try {
      detail.value = await fetchEvent(event)
      problem.value = undefined
    } catch (error) {
      problem.value = wordsOf(error)
    }
  }

  useEffect(() => void read(), [version])
  useEffect(() => {
    heading.current?.focus()
    const timer = setInterval(() => {
      if (!document.hidden && detail.peek() && !isAtRest(detail.peek())) void read()
    }, POLL_MS)
    return () => clearInterval(timer)
  }, [])

  return (
    <section class="card panel" aria-labelledby="open-event">
      <div class="title">
        <h2 id="open-event" class="mono" tabIndex={-1} ref={heading}>
          {event.eventId}
        </h2>
        <button type="button" class="quiet small" onClick={close}>
          Close
        </button>
      </div>
      {problem.value !== undefined && (
        <p class="notice" data-tone="bad">
          {problem.value}
        </p>
      )}
      {detail.value ? <Facts event={detail.value} /> : problem.value === undefined && <p class="muted">Loading …</p>}
    </section>
  )
}

function isAtRest(event: EventDetail | undefined): boolean {
  return event !== undefined && ['processed', 'dead'].includes(outcomeOf(event))
}

/** Closes the open event, and returns the focus to its row. */
export function close(): void {
  const { open } = place.peek()
  openEvent(undefined)
  const name = open && recordName(open)
  const rows = Array.from(document.querySelectorAll<HTMLElement>('[data-event]'))
  rows.find((row) => row.dataset['event'] === name)?.focus()
}

function Facts({ event }: { readonly event: EventDetail }) {
  return (
    <>
      <div class="inline">
        <StatusBadge {...event} />
        <span class="muted">
          {event.source} · {event.eventType}
        </span>
        <RetryButton event={event} />
      </div>
      {event.errorMessage !== null && (
        <p class="notice" data-tone={event.dead ? 'bad' : 'warn'}>
          {event.errorMessage}
        </p>
      )}
      <dl class="facts">
        <Moment label="Received" at={event.receivedAt} />
        <Moment label="Processed" at={event.processedAt} />
        <Moment label="Next try" at={event.nextRetryAt} />
        <dt>Retries</dt>
        <dd>{event.attempts}</dd>
        {event.outcome !== null && (
          <>
            <dt>Outcome</dt>
            <dd>{event.outcome}</dd>
          </>
        )}
        <EventProof proof={event.proof} />
        <LookAlikes event={event} />
      </dl>
      <BatchItems event={event} />
      <EventHistory event={event} />
      <Payload event={event} />
      <h3>Headers</h3>
      {Object.keys(event.headers).length === 0 ? (
        <p class="muted">None were kept.</p>
      ) : (
        <CodeFacts entries={Object.entries(event.headers)} />
      )}
    </>
  )
}

function Moment({ label, at }: { readonly label: string; readonly at: string | null }) {
  if (at === null) return null
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <LiveTime at={recordTime(at)} />
      </dd>
    </>
  )
}
