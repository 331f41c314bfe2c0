import { expect, it } from 'vitest'
import { type Billed, PRICES } from './prices.ts'
import { type DESTINATIONS, usageOf } from './usage.ts'

const MILLION = 1_000_000

it.each<[Billed, number]>([
  ['httpRequests', 1],
  // 6 units as test/contract/write-units.test.ts counts them, 0.1 of the rate limiter, 0.01 of starts, 13 for each
  // hundredth; six an hour for each of five senders.
  ['writeUnits', (6 + 0.1 + 0.01 + 0.13 + (5 * 6 * 720) / MILLION) * 0.625],
  ['balancerHours', 720 * 0.0225],
  // With a scan every five minutes.
  ['invocations', (1.01 + 8640 / MILLION) * 0.2],
  ['secrets', 2 * 0.4],
  // Every five minutes: three tables each for the intake, a retry and the scan, five calls of a queue, and a secret.
  ['keyCalls', ((8640 * (3 * 3 + 5 + 1)) / 10_000) * 0.03],
])('the bill contains for %s of a million webhooks the result of a calculation by hand', (name, usd) => {
  expect((usageOf(MILLION)[name] / PRICES[name].per) * PRICES[name].usd).toBeCloseTo(usd, 9)
})

it.each<[keyof typeof DESTINATIONS, Billed, number]>([
  // The intake's 9 as above; 3 for the delivery.
  ['http', 'writeUnits', (9 + 0.1 + 0.01 + 0.13 + (5 * 6 * 720) / MILLION + 3) * 0.625],
  // 6 for each failure, and one a second at most for the state of the destination.
  ['failing', 'writeUnits', (9 + 0.1 + 0.01 + 0.13 + (5 * 6 * 720) / MILLION + 3 + 2 * 6 + 2) * 0.625],
  // With two scans, every five minutes and every minute.
  ['failing', 'invocations', (1.01 + 3 + (8640 + 43_200) / MILLION) * 0.2],
  // Five polls every twenty seconds of three queues; each attempt is sent, received and deleted.
  ['http', 'queueRequests', ((3 * 5 * 129_600) / MILLION + 0.03 + 3) * 0.4],
  ['sqs', 'queueRequests', ((3 * 5 * 129_600) / MILLION + 0.03 + 3 + 1) * 0.4],
  ['eventbridge', 'busEvents', 1],
  ['handler', 'secrets', 2 * 0.4],
])(
  'the bill of a million delivered once (%s) contains for %s the result of a calculation by hand',
  (destination, name, usd) => {
    const usage = usageOf(MILLION, 1, { destination })
    expect((usage[name] / PRICES[name].per) * PRICES[name].usd).toBeCloseTo(usd, 9)
  },
)
