import { describe, expect, it } from 'vitest'
import { billOf, itemsOf, totalOf } from './bill.ts'
import { declared, measuredOf } from './measured.ts'
import { type Billed, PRICES } from './prices.ts'
import { usageOf } from './usage.ts'

const MILLION = 1_000_000

describe('the bill of a month', () => {
  it.each<[Billed, number]>([
    // A canary every five minutes: 8,640 a month.
    ['httpRequests', 1 + 8640 / MILLION],
    // 6 units as test/contract/write-units.test.ts counts them, 0.1 of the rate limiter, 0.01 of starts, 13 for each
    // hundredth, 1 to delete; one for each canary, and six an hour for each of five senders.
    ['writeUnits', (6 + 0.1 + 0.01 + 0.13 + 1 + (8640 + 5 * 6 * 720) / MILLION) * 0.625],
    ['publications', 1.02 * 0.5],
    ['balancerHours', 720 * 0.0225],
    // Scans, canaries, and the webhooks of the canaries.
    ['invocations', (1.01 + (3 * 8640) / MILLION) * 0.2],
    ['secrets', 1.6],
  ])('contains for %s of a million webhooks the result of a calculation by hand', (name, usd) => {
    expect(billOf(MILLION)[name]).toBeCloseTo(usd, 9)
  })

  it('without webhooks contains only waiting, monitoring and storage', () => {
    const costs = billOf(0)
    const paid = itemsOf('use').filter(([name]) => costs[name] > 0)
    expect(paid.map(([name]) => name).filter((name) => !/alarms|dashboards/.test(name))).toEqual([
      'httpRequests',
      'invocations',
      'gigabyteSeconds',
      'writeUnits',
      'readUnits',
      'queueRequests',
      'logGigabytes',
      'secrets',
    ])
  })

  it('rises with the number of webhooks, and falls per webhook', () => {
    const totals = [1, 10, 100].map((millions) => totalOf(billOf(millions * MILLION), 'use') / millions)
    expect(totals).toEqual(totals.toSorted((one, other) => other - one))
  })

  it('is at most 7 USD per million webhooks at 100 million, without storage and the container', () => {
    expect(totalOf(billOf(100 * MILLION), 'use') / 100).toBeLessThanOrEqual(7)
  })

  it('adds the storage of all earlier months to each month', () => {
    const [first, third, last] = [1, 3, 36].map((month) => usageOf(MILLION, month).storedGigabytes * 1024 ** 2)
    expect([first, third, last].map((kilobytes) => (kilobytes ?? 0) / MILLION)).toEqual([
      expect.closeTo(2.2),
      expect.closeTo(3 * 2.2),
      expect.closeTo(3 * 2.2 + 33 * 1.4),
    ])
  })

  it('uses some of everything that has a price', () => {
    const usage = usageOf(MILLION)
    const unused = Object.keys(PRICES).filter((name) => usage[name as Billed] === 0)
    expect(unused.filter((name) => name !== 'dashboards')).toEqual([])
  })
})

describe('the input of the bill', () => {
  it('comes from the measurements of the benchmark', () => {
    const { firstAnswer, nextAnswerCpu } = measuredOf('webhookStripe')
    expect(nextAnswerCpu).toBeGreaterThan(0)
    expect(firstAnswer).toBeGreaterThan(nextAnswerCpu)
  })

  it('requires a measurement of the function', () => {
    expect(() => measuredOf('nobody')).toThrow('nobody was not measured')
  })

  it('includes the number of resources in the stack', () => {
    expect(declared('AWS::DynamoDB::Table')).toBe(12)
  })
})
