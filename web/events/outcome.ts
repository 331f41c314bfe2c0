import type { Tone } from '../ui/badge.tsx'
import type { EventRecord } from './record.ts'

type Status = EventRecord['status']

interface Look {
  readonly label: string
  readonly tone: Tone
}

const PROCESSING: Look = { label: 'Processing', tone: 'run' }

/** The look of each status in a total of many events. */
export const LOOKS: Readonly<Record<Status, Look>> = {
  RECEIVED: { label: 'Received', tone: 'run' },
  PROCESSING,
  PROCESSED: { label: 'Processed', tone: 'ok' },
  RETRY: { label: 'Retrying', tone: 'wait' },
  FAILED: { label: 'Failed', tone: 'bad' },
}

/** The groups of statuses that totals distinguish. Only a single event shows whether a failed one is retried. */
export const GROUPS: readonly (Look & { readonly statuses: readonly Status[] })[] = [
  { ...LOOKS.PROCESSED, statuses: ['PROCESSED'] },
  { ...PROCESSING, statuses: ['RECEIVED', 'PROCESSING'] },
  { label: 'Failed or retrying', tone: 'bad', statuses: ['FAILED', 'RETRY'] },
]

type Standing = Pick<EventRecord, 'status' | 'nextRetryAt' | 'outcome'>

/** The look of one event: a failed one that is retried by itself counts as no failure yet. */
export function eventLook({ status, nextRetryAt, outcome }: Standing): Look {
  if (status === 'PROCESSED' && outcome === 'superseded') return { label: 'Superseded', tone: 'note' }
  return status === 'FAILED' && nextRetryAt !== null ? LOOKS.RETRY : LOOKS[status]
}
