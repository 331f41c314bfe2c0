import type { Attempt, EventStep } from './steps.ts'

const MINUTE = 60_000

/** When attempts are due after the receipt unless the service is set otherwise, in minutes. */
export const TICKS = [0, 5, 15, 60] as const

/** The same after an operator's order, which is itself the first retry. */
const ORDERED = [0, 15, 60] as const

/** How late an attempt may begin before that is worth a word; beyond the second scan, the service is set otherwise. */
const LATE = { from: MINUTE, to: 10 * MINUTE }

/** The present schedule of an event. */
export interface Schedule {
  /** The receipt, or the last order of an operator. */
  readonly from: Date
  readonly isOrdered: boolean
  readonly attempts: readonly Attempt[]
}

export function scheduleOf(steps: readonly EventStep[], receivedAt: Date): Schedule {
  const start = steps.findLastIndex(({ kind }) => kind === 'order')
  const order = steps[start]
  const attempts = steps.slice(start + 1).filter((step): step is Attempt => step.kind === 'attempt')
  return { from: order?.at ?? receivedAt, isOrdered: order !== undefined, attempts }
}

/** How late an attempt began, in milliseconds, if that was so late that its queue message was of no use. */
export function latenessOf(attempt: Attempt, { from, isOrdered, attempts }: Schedule): number | undefined {
  const delays = isOrdered ? ORDERED : TICKS
  const [delay, before] = [delays[attempt.number - 1], delays[attempt.number - 2]]
  const previous = attempts[attempts.indexOf(attempt) - 1]
  if (delay === undefined || before === undefined || !previous) return undefined
  // A late attempt delays the next one: they keep their distance.
  const due = Math.max(from.getTime() + delay * MINUTE, previous.at.getTime() + (delay - before) * MINUTE)
  const late = attempt.at.getTime() - due
  return late > LATE.from && late < LATE.to ? late : undefined
}
