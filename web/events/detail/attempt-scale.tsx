import type { Tone } from '../../ui/badge.tsx'
import { TimeScale } from '../../ui/time-scale.tsx'
import { fullTime, now, parseTime, relativeTime } from '../../ui/times.tsx'
import type { EventDetail } from '../record.ts'
import { scheduleOf, TICKS } from './schedule.ts'
import { type Attempt, stepsOf } from './steps.ts'

/** The look of a result. */
export const ATTEMPT_LOOKS = {
  done: { tone: 'ok', word: 'succeeded' },
  failed: { tone: 'bad', word: 'failed' },
  running: { tone: 'run', word: 'is running' },
  lost: { tone: 'note', word: 'was lost' },
  uncounted: { tone: 'wait', word: 'did not count' },
} as const satisfies Record<Attempt['result'], { readonly tone: Tone; readonly word: string }>

/** The attempts of an event on a line that is true to scale, with now and the next one. */
export function AttemptScale({ event }: { readonly event: EventDetail }) {
  const { from, attempts, isOrdered } = scheduleOf(stepsOf(event.history), parseTime(event.receivedAt))
  const due = event.nextRetryAt === null ? undefined : parseTime(event.nextRetryAt)
  const told = attempts.map(({ at, result }) => `one ${ATTEMPT_LOOKS[result].word} at ${fullTime(at)}`)
  const next = due && `the next is due at ${fullTime(due)}`
  const label = [`Attempts since ${isOrdered ? 'the order' : 'the receipt'} at ${fullTime(from)}`, ...told, next]
  return (
    <TimeScale
      label={label.filter(Boolean).join('; ')}
      from={from}
      now={now.value}
      ticks={TICKS}
      points={attempts.map(({ at, result }) => ({ at, tone: ATTEMPT_LOOKS[result].tone }))}
      due={due && { at: due, distance: due > now.value ? relativeTime(due, now.value) : 'any moment' }}
    />
  )
}
