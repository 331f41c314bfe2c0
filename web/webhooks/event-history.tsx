import { LiveTime } from '../components/live-time.tsx'
import { type EventDetail, recordTime } from './record.ts'
import { StatusBadge } from './status-badge.tsx'

/** Every move of an event, and the next one. */
export function EventHistory({ event: { history, dead, nextRetryAt } }: { readonly event: EventDetail }) {
  const last = history.length - 1
  return (
    <>
      <h3>What happened</h3>
      <ol class="history">
        {history.map(({ at, status, by, error }, index) => (
          <li class="move" key={`${at} ${status}`}>
            <StatusBadge status={status} dead={dead && index === last} /> <span>by {by}</span>
            <span class="muted">
              <LiveTime at={recordTime(at)} />
            </span>
            {error !== null && <span class="error">{error}</span>}
          </li>
        ))}
        {nextRetryAt !== null && (
          <li class="move">
            <span class="badge">Next try</span>
            <span class="muted">
              <LiveTime at={recordTime(nextRetryAt)} />
            </span>
          </li>
        )}
      </ol>
    </>
  )
}
