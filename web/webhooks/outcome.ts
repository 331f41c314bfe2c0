import type { EventRecord } from './record.ts'

/** The state of an event, as people sort events. */
export const OUTCOMES = ['processed', 'underWay', 'failed', 'dead'] as const

export type Outcome = (typeof OUTCOMES)[number]

interface Look {
  readonly label: string
  /** The class in the style sheet. */
  readonly tone: 'good' | 'plain' | 'warn' | 'bad'
}

export const LOOKS: Readonly<Record<Outcome, Look>> = {
  processed: { label: 'Processed', tone: 'good' },
  underWay: { label: 'Under way', tone: 'plain' },
  failed: { label: 'Failed, to be retried', tone: 'warn' },
  dead: { label: 'Dead', tone: 'bad' },
}

const OF_STATUS = {
  RECEIVED: 'underWay',
  PROCESSING: 'underWay',
  PROCESSED: 'processed',
  FAILED: 'failed',
  RETRY: 'underWay',
} as const satisfies Record<EventRecord['status'], Outcome>

export function outcomeOf({ status, dead }: Pick<EventRecord, 'status' | 'dead'>): Outcome {
  return status === 'FAILED' && dead ? 'dead' : OF_STATUS[status]
}
