import { expect, it } from 'vitest'
import { webhookMessage } from '../../../lib/stomp/webhook-message.ts'
import { virtualTime } from '../../support/fakes/timers.ts'
import { changeAt } from '../../support/watch-world.ts'

it('a notice is written once, however many sessions are told of it', () => {
  const notice = { change: changeAt(virtualTime(), 'a'), cursor: 'c' }
  expect(webhookMessage(notice)).toBe(webhookMessage(notice))
  expect(webhookMessage({ ...notice })).not.toBe(webhookMessage(notice))
})
