import { type Billed, type Part, PRICES, type Price } from './prices.ts'
import { usageOf } from './usage.ts'

export type Bill = Readonly<Record<Billed, number>>

/**
 * USD per month by billed item.
 * @param webhooks webhooks per month, evenly distributed
 * @param months how many such months were before, and this one
 */
export function billOf(webhooks: number, months = 1): Bill {
  const usage = usageOf(webhooks, months)
  const costs = Object.entries(PRICES).map(([name, { usd, per }]) => [name, (usage[name as Billed] / per) * usd])
  return Object.fromEntries(costs) as Bill
}

/** The items of one part, in the order of the price list. */
export function itemsOf(part: Part): readonly (readonly [Billed, Price])[] {
  const all = Object.entries<Price>(PRICES) as [Billed, Price][]
  return all.filter(([, price]) => price.part === part)
}

export function totalOf(bill: Bill, part: Part): number {
  return itemsOf(part).reduce((sum, [name]) => sum + bill[name], 0)
}
