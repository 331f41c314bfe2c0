import { describe, expect, it } from 'vitest'
import { billOf, totalOf } from './bill.ts'
import { declared, measuredOf } from './measured.ts'
import { type Billed, PRICES } from './prices.ts'
import { usageOf } from './usage.ts'

const MILLION = 1_000_000

describe('the bill of a month', () => {
  it.each<[Billed, number]>([
    ['httpRequests', 1],
    // 12 units as test/contract/write-units.test.ts counts them, 0.1 of the rate limiter, 30 for each hundredth, 4 to delete.
    ['writeUnits', (12 + 0.1 + 0.3 + 4) * 0.625],
    ['publications', 1.02 * 0.5],
    ['invocations', (1.01 + 8640 / MILLION) * 0.2],
    ['secrets', 1.6],
  ])('asks for %s of a million webhooks what multiplying by hand gives', (name, usd) => {
    expect(billOf(MILLION)[name]).toBeCloseTo(usd, 9)
  })

  it('without a webhook has nothing but what waits, watches and is kept', () => {
    const paid = Object.entries(billOf(0)).filter(([, usd]) => usd > 0)
    expect(paid.map(([name]) => name).filter((name) => !/alarms|dashboards/.test(name))).toEqual([
      'invocations',
      'gigabyteSeconds',
      'readUnits',
      'queueRequests',
      'logGigabytes',
      'traces',
      'secrets',
    ])
  })

  it('asks for more, the more webhooks come, and less for each', () => {
    const totals = [1, 10, 100].map((millions) => totalOf(billOf(millions * MILLION)) / millions)
    expect(totals).toEqual(totals.toSorted((one, other) => other - one))
  })

  it('uses something of all that has a price', () => {
    const usage = usageOf(MILLION)
    const unused = Object.keys(PRICES).filter((name) => usage[name as Billed] === 0)
    expect(unused.filter((name) => name !== 'dashboards')).toEqual([])
  })
})

describe('what the bill is made of', () => {
  it('reads what the benchmark measured', () => {
    const { firstAnswer, nextAnswerCpu } = measuredOf('webhookPayment')
    expect(nextAnswerCpu).toBeGreaterThan(0)
    expect(firstAnswer).toBeGreaterThan(nextAnswerCpu)
  })

  it('refuses a function that was not measured', () => {
    expect(() => measuredOf('nobody')).toThrow('nobody was not measured')
  })

  it('counts the resources of the stack', () => {
    expect(declared('AWS::DynamoDB::Table')).toBe(11)
  })
})
