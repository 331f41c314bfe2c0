import { table, withParts } from '../../infra/description/markdown.ts'
import { type Bill, billOf, itemsOf, totalOf } from './bill.ts'
import { type Part, PRICES, type Price } from './prices.ts'
import { ASSUMED, MILLISECONDS, usageOf } from './usage.ts'

const MILLION = 1_000_000

const VOLUMES = [0, MILLION, 100 * MILLION] as const

const HEAD = ['no webhook', '1 million', '100 million'] as const

const MONTHS = [1, 12, 36] as const

/** The text of docs/cost.md with new tables. */
export function cost(): string {
  return withParts('docs/cost.md', {
    bill,
    storage,
    container: () => services('container'),
    usage,
    assumptions,
    prices,
  })
}

/** USD of a part by service and volume. */
function services(part: Part): string {
  const bills = VOLUMES.map((webhooks) => billOf(webhooks))
  const rows = [...Map.groupBy(itemsOf(part), ([, { service }]) => service)].map(([service, items]) => [
    service,
    ...bills.map((costs) => usd(items.reduce((sum, [name]) => sum + costs[name], 0))),
  ])
  const totals = bills.map((costs) => totalOf(costs, part))
  return table(['USD a month', ...HEAD], [...rows, ['**together**', ...totals.map((total) => `**${usd(total)}**`)]])
}

function bill(): string {
  const each = (one: (costs: Bill) => number) =>
    VOLUMES.map((webhooks) => (webhooks === 0 ? '' : usd((one(billOf(webhooks)) / webhooks) * MILLION)))
  const withContainer = (costs: Bill) => totalOf(costs, 'use') + totalOf(costs, 'container')
  const perMillion = table(
    ['USD per million accepted webhooks', ...HEAD.slice(1)],
    [
      ['without the container', ...each((costs) => totalOf(costs, 'use')).slice(1)],
      ['with the container', ...each(withContainer).slice(1)],
    ],
  )
  return `${services('use')}\n\n${perMillion}`
}

/** What is kept in a month, after so many equal ones. */
function storage(): string {
  const rows = VOLUMES.slice(1).flatMap((webhooks, index) => {
    const at = (part: (month: number) => number) => MONTHS.map((month) => rounded(part(month)))
    const total = Array.from({ length: 36 }, (_, month) => totalOf(billOf(webhooks, month + 1), 'storage'))
    return [
      [`${HEAD[index + 1]}: GB in DynamoDB`, ...at((month) => usageOf(webhooks, month).storedGigabytes), ''],
      [
        `${HEAD[index + 1]}: USD a month`,
        ...MONTHS.map((month) => usd(totalOf(billOf(webhooks, month), 'storage'))),
        usd(total.reduce((sum, month) => sum + month, 0)),
      ],
    ]
  })
  return table(['webhooks a month', ...MONTHS.map((month) => `month ${month}`), 'all 36 months'], rows)
}

function usage(): string {
  const usages = VOLUMES.map((webhooks) => usageOf(webhooks))
  const rows = (['use', 'storage', 'container'] as const).flatMap((part) =>
    itemsOf(part).map(([name, { service, unit }]) => [
      `${service}: ${unit.replace(/[;,].*/, '')}`,
      ...usages.map((used) => rounded(used[name])),
    ]),
  )
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
  const rows = Object.values<Price>(PRICES).map(({ service, usd: price, per, unit, page, seen }) => [
    `[${service}](https://aws.amazon.com${page})`,
    String(price),
    `${per === 1 ? '' : `${rounded(per)} `}${unit}`,
    seen,
  ])
  return table(['service', 'USD', 'for', 'seen'], rows)
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
