import type { Tone } from '../ui/badge.tsx'
import type { EventRecord } from './record.ts'

type Status = EventRecord['status']

interface Look {
  readonly label: string
  readonly tone: Tone
}

const PROCESSING: Look = { label: 'Processing', tone: 'run' }

/** Each status in a figure of many events. */
export const LOOKS: Readonly<Record<Status, Look>> = {
  RECEIVED: { label: 'Received', tone: 'run' },
  PROCESSING,
  PROCESSED: { label: 'Processed', tone: 'ok' },
  RETRY: { label: 'Retrying', tone: 'wait' },
  FAILED: { label: 'Failed', tone: 'bad' },
}

/** Statuses that are told apart in totals. That failed events are retried is known of each alone. */
export const GROUPS: readonly (Look & { readonly statuses: readonly Status[] })[] = [
  { ...LOOKS.PROCESSED, statuses: ['PROCESSED'] },
  { ...PROCESSING, statuses: ['RECEIVED', 'PROCESSING'] },
  { label: 'Failed or retrying', tone: 'bad', statuses: ['FAILED', 'RETRY'] },
]

type Standing = Pick<EventRecord, 'status' | 'nextRetryAt' | 'outcome'>

/** The look of one event: what failed and is retried by itself is no failure yet. */
export function eventLook({ status, nextRetryAt, outcome }: Standing): Look {
  if (status === 'PROCESSED' && outcome === 'superseded') return { label: 'Superseded', tone: 'note' }
  return status === 'FAILED' && nextRetryAt !== null ? LOOKS.RETRY : LOOKS[status]
}
