import { describe, expect, it } from 'vitest'
import type { WebhookEvent } from '../../../../lib/webhooks/event.ts'
import { decideHint, type HintDecision } from '../../../../lib/webhooks/retry/worker.ts'
import { START } from '../../../support/fakes/clock.ts'
import { failedEvent, MINUTE } from '../../../support/fakes/webhooks.ts'

const at = (minutes: number) => new Date(START.getTime() + minutes * MINUTE)

describe('the effect of a refused claim on its hint', () => {
  const now = at(10)

  it.each<[string, WebhookEvent | undefined, number, HintDecision]>([
    ['no such event', undefined, 1, 'drop'],
    ['other runs', failedEvent({ attempts: 1 }), 1, 'drop'],
    ['FAILED, not yet due', failedEvent({ nextRetryAt: at(11) }), 1, 'postpone'],
    ['FAILED and due, claimed by another in between', failedEvent({ nextRetryAt: at(10) }), 1, 'drop'],
    ['PROCESSING, still running', failedEvent({ status: 'PROCESSING', leaseUntil: at(10) }), 1, 'drop'],
    ['PROCESSING, abandoned', failedEvent({ status: 'PROCESSING', leaseUntil: at(9) }), 1, 'drop'],
    ['FAILED permanently', failedEvent({ nextRetryAt: undefined, dead: true }), 1, 'drop'],
    ['PROCESSED', failedEvent({ status: 'PROCESSED' }), 1, 'drop'],
    ['FAILED, out of attempts', failedEvent({ attempts: 3 }), 4, 'exhaust'],
    [
      'RETRY, abandoned, out of attempts',
      failedEvent({ status: 'RETRY', attempts: 3, leaseUntil: at(9) }),
      4,
      'exhaust',
    ],
    [
      'RETRY, still running, out of attempts',
      failedEvent({ status: 'RETRY', attempts: 3, leaseUntil: at(10) }),
      4,
      'drop',
    ],
  ])('%s', (_, event, n, step) => {
    expect(decideHint(event, { source: 'test', eventId: 'event-1', n }, now, 3)).toBe(step)
  })
})

it('an abandoned first run is the last if no retry is allowed', () => {
  const event = failedEvent({ status: 'PROCESSING', leaseUntil: START })
  expect(decideHint(event, { source: 'test', eventId: 'event-1', n: 1 }, at(1), 0)).toBe('exhaust')
})
