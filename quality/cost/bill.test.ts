import { expect, it } from 'vitest'
import { type Billed, PRICES } from './prices.ts'
import { usageOf } from './usage.ts'

const MILLION = 1_000_000

it.each<[Billed, number]>([
  ['httpRequests', 1],
  // 6 units as test/contract/write-units.test.ts counts them, 0.1 of the rate limiter, 0.01 of starts, 13 for each
  // hundredth; six an hour for each of five senders.
  ['writeUnits', (6 + 0.1 + 0.01 + 0.13 + (5 * 6 * 720) / MILLION) * 0.625],
  ['balancerHours', 720 * 0.0225],
  // With a scan every five minutes.
  ['invocations', (1.01 + 8640 / MILLION) * 0.2],
  ['secrets', 2],
  // Every five minutes: three tables each for the intake, a retry and the scan, five calls of a queue, and a secret.
  ['keyCalls', ((8640 * (3 * 3 + 5 + 1)) / 10_000) * 0.03],
])('the bill contains for %s of a million webhooks the result of a calculation by hand', (name, usd) => {
  expect((usageOf(MILLION)[name] / PRICES[name].per) * PRICES[name].usd).toBeCloseTo(usd, 9)
})
