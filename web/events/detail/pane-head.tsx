import type { RefObject } from 'preact'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ForeignText } from '../../ui/text.tsx'
import { openEvent } from '../navigation.ts'
import { list } from '../reading.ts'
import { type EventDetail, type RecordKey, recordName } from '../record.ts'
import { ordered, retry } from '../retry.ts'
import { StatusBadge } from '../status-badge.tsx'
import { closeEvent } from './close.ts'

interface PaneHeadProps {
  readonly event: RecordKey
  /** Undefined until it is read. */
  readonly detail: EventDetail | undefined
  readonly heading: RefObject<HTMLHeadingElement | null>
  readonly reread: () => Promise<void>
}

/** The head of the pane: which event it is, and what one can do with it. */
export function PaneHead({ event, detail, heading, reread }: PaneHeadProps) {
  return (
    <header class="bar">
      <button type="button" class="btn bare only-s" aria-label="Back to the list" onClick={closeEvent}>
        <Icon name="left" />
      </button>
      <span class="grow stack tight">
        <span class="row flow">
          <h2 class="wrap" tabIndex={-1} ref={heading}>
            <ForeignText text={detail?.eventType ?? 'Event'} />
          </h2>
          {detail && <StatusBadge event={detail} isSolid />}
        </span>
        <span class="row small muted">
          <span>{event.source}</span>
          <code class="clip">
            <ForeignText text={event.eventId} />
          </code>
          <CopyButton text={event.eventId} of="the event id" isBare />
        </span>
      </span>
      <span class="row">
        {detail && <Retry event={detail} reread={reread} />}
        <span class="wide-only row tight">
          <Neighbor event={event} by={-1} name="Previous event (k)" icon="up" />
          <Neighbor event={event} by={1} name="Next event (j)" icon="down" />
          <button
            type="button"
            class="btn bare"
            aria-label="Close (Escape)"
            title="Close (Escape)"
            onClick={closeEvent}
          >
            <Icon name="x" />
          </button>
        </span>
      </span>
    </header>
  )
}

function Retry({ event, reread }: { readonly event: EventDetail; readonly reread: () => Promise<void> }) {
  if (event.status !== 'FAILED' || event.payloadDeletedAt !== null) return null
  return (
    <button
      type="button"
      class="btn main-btn"
      disabled={ordered.value.has(recordName(event))}
      onClick={() => void retry(event).then(reread)}
    >
      <Icon name="retry" />
      Retry now
    </button>
  )
}

interface NeighborProps {
  readonly event: RecordKey
  readonly by: 1 | -1
  readonly name: string
  readonly icon: string
}

function Neighbor({ event, by, name, icon }: NeighborProps) {
  const events = list.value?.events ?? []
  const at = events.findIndex((other) => recordName(other) === recordName(event))
  const next = at === -1 ? undefined : events[at + by]
  return (
    <button
      type="button"
      class="btn bare"
      aria-label={name}
      title={name}
      disabled={!next}
      onClick={() => next && openEvent({ source: next.source, eventId: next.eventId })}
    >
      <Icon name={icon} />
    </button>
  )
}
