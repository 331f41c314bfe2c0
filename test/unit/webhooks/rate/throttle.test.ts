import { describe, expect, it } from 'vitest'
import { logAudit } from '../../../../lib/webhooks/audit.ts'
import { generic } from '../../../../lib/webhooks/providers/generic.ts'
import { NO_LIMIT, type RateLimiter, throttle } from '../../../../lib/webhooks/rate/limiter.ts'
import type { Sender } from '../../../../lib/webhooks/refusals/refusal.ts'
import { recordingLog } from '../../../support/fakes/log.ts'

const sender = (name: string): Sender => ({ name, scheme: generic })
const HERE = '192.0.2.1'

function setUp(limiter: RateLimiter) {
  const log = recordingLog()
  return {
    log,
    throttling: { limiter, audit: logAudit(log), secrets: { current: new Map([['stripe', [{ value: 's' }]]]) } },
  }
}

const waiting = (milliseconds: number): RateLimiter => ({ wait: () => milliseconds })

describe('a call within the limit', () => {
  it('is accepted at once', () => {
    const { log, throttling } = setUp(NO_LIMIT)
    expect(throttle(sender('stripe'), HERE, throttling)).toBeUndefined()
    expect(log.entries).toEqual([])
  })

  it('is accepted when the limiter had to call the counter', async () => {
    const { log, throttling } = setUp({ wait: async () => 0 })
    await expect(throttle(sender('stripe'), HERE, throttling)).resolves.toBeUndefined()
    expect(log.entries).toEqual([])
  })
})

describe('a call beyond the limit', () => {
  it.each([
    [1, 1],
    [1000, 1],
    [1001, 2],
    [60_600, 61],
  ])('that is open in %d ms may be retried in %d seconds', (milliseconds, retryAfterSeconds) => {
    const { throttling } = setUp(waiting(milliseconds))
    expect(() => throttle(sender('stripe'), HERE, throttling)).toThrow(
      expect.objectContaining({ code: 'RATE_LIMIT_EXCEEDED', details: { retryAfterSeconds } }),
    )
  })

  it('is audited', async () => {
    const { log, throttling } = setUp({ wait: async () => 600 })
    await expect(throttle(sender('payment'), HERE, throttling)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
    expect(log.of('audit')).toEqual([{ decision: 'refused', source: 'payment', reason: 'rate-limited' }])
  })
})

it('W13 under an invented name without a secret shares one budget', async () => {
  const asked: string[] = []
  const { throttling } = setUp({
    wait(endpoint) {
      asked.push(endpoint)
      return 0
    },
  })
  for (const name of ['stripe', 'made-up', 'made-up-too', 'constructor']) await throttle(sender(name), HERE, throttling)
  expect(asked).toEqual(['stripe', '*', '*', '*'])
})
