import { describe, expect, it } from 'vitest'
import { attemptsIn, type EventStep, latenessOf, scheduleOf, stepsOf } from '../../../../web/events/history.ts'
import { move } from './details.ts'

const RECEIPT = new Date('2026-01-02T03:00:00Z')
const MINUTE = 60_000

/** A step in one line. */
function told(step: EventStep): string {
  const minute = (step.at.getTime() - RECEIPT.getTime()) / MINUTE
  if (step.kind === 'attempt') return `${minute}: attempt ${step.number} ${step.result}`
  if (step.kind === 'received') return `${minute}: received`
  return `${minute}: ${step.kind} by ${step.user}`
}

const retried = (minute: number, error: string | null = 'no') => [
  move(minute, 'RETRY', 'retry'),
  move(minute, error === null ? 'PROCESSED' : 'FAILED', 'retry', error),
]

describe('the history of an event', () => {
  it('consists of its attempts, each with its result', () => {
    const history = [move(0, 'FAILED', 'intake', 'no'), ...retried(5), ...retried(15, null)]
    expect(stepsOf(history).map(told)).toEqual(['0: attempt 1 failed', '5: attempt 2 failed', '15: attempt 3 done'])
  })

  it('includes a request of an operator, never as a failure', () => {
    const history = [
      move(0, 'FAILED', 'intake', 'no'),
      move(30, 'FAILED', 'operator admin: the shop: open'),
      ...retried(30),
    ]
    const steps = stepsOf(history)
    expect(steps.map(told)).toEqual(['0: attempt 1 failed', '30: order by admin', '30: attempt 1 failed'])
    expect(steps[1]).toMatchObject({ reason: 'the shop: open' })
    expect(attemptsIn(history)).toHaveLength(2)
  })

  it('includes the deletion of its payload', () => {
    const history = [move(0, 'PROCESSED', 'intake'), move(9, 'PROCESSED', 'operator admin: the payload was deleted')]
    expect(stepsOf(history).map(told)).toEqual(['0: attempt 1 done', '9: deletion by admin'])
  })

  it('includes a receipt before the first attempt, if there is a queue between', () => {
    const history = [move(0, 'RECEIVED', 'intake'), move(1, 'PROCESSING', 'worker'), move(2, 'PROCESSED', 'worker')]
    expect(stepsOf(history).map(told)).toEqual(['0: received', '1: attempt 1 done'])
  })

  it('includes a lost attempt if another one begins before its end', () => {
    const history = [move(0, 'FAILED', 'intake', 'no'), move(5, 'RETRY', 'retry'), ...retried(15, null)]
    expect(stepsOf(history).map(told)).toEqual(['0: attempt 1 failed', '5: attempt 2 lost', '15: attempt 3 done'])
  })

  it('does not count an attempt that an outage ended', () => {
    const outage = 'not counted: a store or queue could not be reached'
    const history = [move(0, 'FAILED', 'intake', 'no'), ...retried(5, outage), ...retried(6, null)]
    expect(stepsOf(history).map(told)).toEqual(['0: attempt 1 failed', '5: attempt 2 uncounted', '6: attempt 2 done'])
  })

  it('shows an attempt as running after its start', () => {
    expect(stepsOf([move(0, 'RECEIVED', 'intake'), move(1, 'PROCESSING', 'worker')]).map(told)).toEqual([
      '0: received',
      '1: attempt 1 running',
    ])
  })
})

describe('the schedule of an event', () => {
  const scheduleIn = (history: Parameters<typeof stepsOf>[0]) => scheduleOf(stepsOf(history), RECEIPT)
  const lateIn = (history: Parameters<typeof stepsOf>[0]) => {
    const schedule = scheduleIn(history)
    return schedule.attempts.map((attempt) => (latenessOf(attempt, schedule) ?? 0) / MINUTE)
  }

  it('begins at the receipt, or at the last order', () => {
    const failed = [move(0, 'FAILED', 'intake', 'no'), ...retried(5)]
    expect(scheduleIn(failed)).toMatchObject({ from: RECEIPT, isOrdered: false })
    const { from, isOrdered, attempts } = scheduleIn([...failed, move(90, 'FAILED', 'operator admin'), ...retried(90)])
    expect([from.getTime() - RECEIPT.getTime(), isOrdered, attempts.length]).toEqual([90 * MINUTE, true, 1])
  })

  it.each([
    ['in time', [5, 15, 60], [0, 0, 0, 0]],
    ['found by a scan', [9, 19, 64], [0, 4, 0, 0]],
    ['late a second time, from where the first one left it', [9, 23, 68], [0, 4, 4, 0]],
  ])('shows the delay of attempts %s', (_, minutes, expected) => {
    expect(lateIn([move(0, 'FAILED', 'intake', 'no'), ...minutes.flatMap((minute) => retried(minute))])).toEqual(
      expected,
    )
  })

  it('has its attempts 0, 15 and 60 minutes after an order', () => {
    const history = [move(100, 'FAILED', 'operator admin'), ...retried(100), ...retried(115), ...retried(163)]
    expect(lateIn(history)).toEqual([0, 0, 3])
  })
})
