import { LOOKS, outcomeOf } from './outcome.ts'
import type { EventRecord } from './record.ts'

const WORDS = {
  RECEIVED: 'Received',
  PROCESSING: 'Processing',
  PROCESSED: 'Processed',
  FAILED: 'Failed',
  RETRY: 'Retrying',
} as const satisfies Record<EventRecord['status'], string>

interface Standing {
  readonly status: EventRecord['status']
  readonly dead?: boolean
}

export function StatusBadge({ status, dead = false }: Standing) {
  const outcome = outcomeOf({ status, dead })
  return (
    <span class="badge" data-tone={LOOKS[outcome].tone}>
      {outcome === 'dead' ? 'Dead' : WORDS[status]}
    </span>
  )
}
