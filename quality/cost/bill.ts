import { type Billed, PRICES } from './prices.ts'
import { usageOf } from './usage.ts'

/** USD per month by billed item. @param webhooks webhooks per month, evenly distributed */
export function billOf(webhooks: number): Readonly<Record<Billed, number>> {
  const usage = usageOf(webhooks)
  const costs = Object.entries(PRICES).map(([name, { usd, per }]) => [name, (usage[name as Billed] / per) * usd])
  return Object.fromEntries(costs) as Record<Billed, number>
}

export function totalOf(bill: Readonly<Record<Billed, number>>): number {
  return Object.values(bill).reduce((sum, usd) => sum + usd, 0)
}
