import type { Tone } from '../ui/badge.tsx'
import { Steps, StepView } from '../ui/steps.tsx'
import { TimeScale } from '../ui/time-scale.tsx'
import { dueText, duration, fullTime, now, parseTime, ShortTime } from '../ui/times.tsx'
import { type Attempt, type EventStep, latenessOf, type Schedule, scheduleOf, stepsOf, TICKS } from './history.ts'
import type { EventDetail } from './record.ts'

/** The attempts of an event: to scale, then each with its result, and what operators did between them. */
export function Attempts({ event }: { readonly event: EventDetail }) {
  const steps = stepsOf(event.history)
  const schedule = scheduleOf(steps, parseTime(event.receivedAt))
  return (
    <>
      <div class="stack">
        <p class="small muted">
          Drawn to scale. Unless set otherwise, attempts follow 5, 15 and 60 minutes after receipt. Then the event waits
          for an operator.{schedule.isOrdered && ' The scale begins at the last order of an operator.'}
        </p>
        <AttemptScale event={event} />
      </div>
      <Steps>
        {steps.map((step, index) => (
          <Happening key={index} step={step} schedule={schedule} />
        ))}
        {event.nextRetryAt !== null && <Due at={parseTime(event.nextRetryAt)} />}
      </Steps>
    </>
  )
}

function Happening({ step, schedule }: { readonly step: EventStep; readonly schedule: Schedule }) {
  const time = <ShortTime at={step.at} />
  switch (step.kind) {
    case 'attempt':
      return <AttemptStep attempt={step} schedule={schedule} />
    case 'received':
      return (
        <StepView tone="note" icon="inbox" title="Received" time={time}>
          Stored, then queued for its first attempt.{step.note !== undefined && ` Note: ${step.note}.`}
        </StepView>
      )
    case 'order':
      return (
        <StepView tone="note" icon="user" title={<>Retry requested by {step.user}</>} time={time}>
          {step.reason}
        </StepView>
      )
    default:
      return (
        <StepView tone="note" icon="user" title={<>Payload deleted by {step.user}</>} time={time}>
          With the headers, for good.
        </StepView>
      )
  }
}

function AttemptStep({ attempt, schedule }: { readonly attempt: Attempt; readonly schedule: Schedule }) {
  const { at, end, number, result, error, isAtReceipt } = attempt
  const { tone, word } = ATTEMPT_LOOKS[result]
  const late = latenessOf(attempt, schedule)
  return (
    <StepView
      tone={tone}
      title={`Attempt ${number}`}
      about={isAtReceipt ? `during receipt ${word}` : word}
      time={<ShortTime at={at} />}
    >
      {error}
      {result === 'lost' && 'It never reported an end. Its lease ran out, so a later attempt took over.'}
      {end && !isAtReceipt && <span class="muted">Took {duration(end.getTime() - at.getTime())}.</span>}
      {late !== undefined && (
        <span class="muted">
          Began {duration(late)} late: its queue message was delayed or lost. The stored row decides, so nothing is
          lost; a scan looks for due events.
        </span>
      )}
    </StepView>
  )
}

function Due({ at }: { readonly at: Date }) {
  return (
    <StepView
      tone="note"
      icon="wait"
      title="Next attempt"
      about={`due ${dueText(at, now.value)}`}
      time={<ShortTime at={at} />}
    >
      <span class="muted">If the last attempt fails, the event is marked failed and stays until you retry it.</span>
    </StepView>
  )
}

/** The look of a result. */
const ATTEMPT_LOOKS = {
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
  const results = attempts.map(({ at, result }) => `one ${ATTEMPT_LOOKS[result].word} at ${fullTime(at)}`)
  const next = due && `the next is due at ${fullTime(due)}`
  const label = [`Attempts since ${isOrdered ? 'the order' : 'the receipt'} at ${fullTime(from)}`, ...results, next]
  return (
    <TimeScale
      label={label.filter(Boolean).join('; ')}
      from={from}
      now={now.value}
      ticks={TICKS}
      points={attempts.map(({ at, result }) => ({ at, tone: ATTEMPT_LOOKS[result].tone }))}
      due={due && { at: due, distance: dueText(due, now.value) }}
    />
  )
}
