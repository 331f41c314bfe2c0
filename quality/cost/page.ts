import { table, withParts } from '../../infra/description/markdown.ts'
import { billOf, totalOf } from './bill.ts'
import { type Billed, PRICES, type Price } from './prices.ts'
import { ASSUMED, MILLISECONDS, usageOf } from './usage.ts'

const MONTHS = [0, 1_000_000, 100_000_000] as const

/** The text of docs/cost.md with new tables. */
export function cost(): string {
  return withParts('docs/cost.md', { bill, usage, assumptions, prices })
}

const HEAD = ['no webhook', '1 million', '100 million'] as const

const ROWS = Object.entries<Price>(PRICES) as [Billed, Price][]

function bill(): string {
  const bills = MONTHS.map(billOf)
  const services = Map.groupBy(ROWS, ([, { service }]) => service)
  const rows = [...services].map(([service, entries]) => [
    service,
    ...bills.map((costs) => usd(entries.reduce((sum, [name]) => sum + costs[name], 0))),
  ])
  return table(
    ['USD a month', ...HEAD],
    [...rows, ['**together**', ...bills.map((costs) => `**${usd(totalOf(costs))}**`)]],
  )
}

function usage(): string {
  const usages = MONTHS.map(usageOf)
  const rows = ROWS.map(([name, { service, unit }]) => [
    `${service}: ${unit.replace(/[;,].*/, '')}`,
    ...usages.map((used) => rounded(used[name])),
  ])
  return table(['in a month', ...HEAD], rows)
}

function assumptions(): string {
  const computed = [
    [
      'milliseconds, warm',
      rounded(MILLISECONDS.warm),
      'CPU as measured, at the processor that 512 MB get, and the wait',
    ],
    ['milliseconds, cold', rounded(MILLISECONDS.cold), 'the first answer as measured, and the wait'],
  ]
  const assumed = Object.entries(ASSUMED).map(([name, { figure, why }]) => [spoken(name), String(figure), why])
  return table(['figure', '', 'what it is'], [...computed, ...assumed])
}

function prices(): string {
  const rows = ROWS.map(([, { service, usd: price, per, unit, page, seen }]) => [
    `[${service}](https://aws.amazon.com${page})`,
    String(price),
    `${per === 1 ? '' : `${rounded(per)} `}${unit}`,
    seen,
  ])
  return table(['service', 'USD a month', 'for', 'seen'], rows)
}

function spoken(name: string): string {
  return name.replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`)
}

function usd(amount: number): string {
  return amount.toFixed(2).replaceAll(/\B(?=(\d{3})+\.)/g, ',')
}

function rounded(amount: number): string {
  return amount.toLocaleString('en', { maximumSignificantDigits: 3 })
}
