import type { Response } from '../ask.ts'
import type { Tone } from '../ui/badge.tsx'

export type ListedDestination = Response<'destinations'>['destinations'][number]

interface Look {
  readonly label: string
  readonly tone: Tone
  readonly icon?: string
  /** What it means for deliveries. */
  readonly meaning: string
}

const HEALTHY: Look = { label: 'Healthy', tone: 'ok', meaning: 'Deliveries go out as events arrive.' }
const FAILING: Look = {
  label: 'Failing',
  tone: 'wait',
  meaning: 'The last deliveries failed. They are tried again with growing pauses.',
}
const BROKEN: Look = {
  label: 'Broken',
  tone: 'bad',
  meaning: 'It failed again and again. One delivery a minute tries it; the others wait.',
}
const DISABLED: Look = {
  label: 'Disabled',
  tone: 'note',
  icon: 'pause',
  meaning: 'No delivery goes out. Later events wait until the destination is enabled.',
}

export function lookOf({ state, failures }: ListedDestination): Look {
  if (state === 'OPEN') return BROKEN
  if (state === 'DISABLED') return DISABLED
  return failures > 0 ? FAILING : HEALTHY
}

const SEVERITY = [BROKEN, FAILING, DISABLED, HEALTHY]

/** Broken ones first. */
export function bySeverity(one: ListedDestination, other: ListedDestination): number {
  return SEVERITY.indexOf(lookOf(one)) - SEVERITY.indexOf(lookOf(other)) || one.name.localeCompare(other.name)
}

export const KINDS: Readonly<Record<ListedDestination['to'], string>> = {
  http: 'HTTPS',
  sqs: 'SQS queue',
  eventbridge: 'event bus',
  handler: 'handler',
}
