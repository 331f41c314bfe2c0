import { stdout } from 'node:process'
import { runCommand } from '../../localstack/command.ts'
import { type Billed, type Part, PRICES, type Price } from './prices.ts'
import { usageOf } from './usage.ts'

const USAGE = `npm run quality -- cost

Prints what a month on AWS costs, by calculation: with no webhook, with a million, and with 100 million.
`

const VOLUMES = [0, 1_000_000, 100_000_000] as const
const ITEMS = Object.entries<Price>(PRICES) as readonly (readonly [Billed, Price])[]
const TITLES = {
  use: 'traffic',
  container: 'the container',
  key: 'kmsKeyArn',
  storage: 'what is kept, of month 1',
} as const

await runCommand({ name: 'quality -- cost', usage: USAGE, run })

function run(): number {
  line('a month, in USD', ...VOLUMES.map((webhooks) => `${webhooks / 1e6} million`))
  for (const [part, title] of Object.entries(TITLES) as [Part, string][]) {
    line()
    const items = ITEMS.filter(([, price]) => price.part === part)
    for (const [service, own] of Map.groupBy(items, ([, price]) => price.service)) line(service, ...costsOf(own))
    line(`${title}, together`, ...costsOf(items))
  }
  line()
  const kept = ITEMS.filter(([, { part }]) => part === 'storage')
  for (const month of [12, 36]) {
    line(`GB in DynamoDB, month ${month}`, ...VOLUMES.map((volume) => figure(usageOf(volume, month).storedGigabytes)))
    line(`what is kept, of month ${month}`, ...costsOf(kept, month))
  }
  line()
  for (const [name, { service, unit }] of ITEMS)
    line(`${service}: ${unit}`, ...VOLUMES.map((webhooks) => figure(usageOf(webhooks)[name])))
  return 0
}

/** USD of some items at each volume. */
function costsOf(items: typeof ITEMS, months = 1): readonly string[] {
  return VOLUMES.map((webhooks) => {
    const usage = usageOf(webhooks, months)
    return items.reduce((sum, [name, { usd, per }]) => sum + (usage[name] / per) * usd, 0).toFixed(2)
  })
}

function figure(amount: number): string {
  return amount.toLocaleString('en', { maximumSignificantDigits: 3 })
}

function line(name = '', ...cells: readonly string[]): void {
  stdout.write(`${name.padEnd(48)}${cells.map((cell) => cell.padStart(14)).join('')}\n`)
}
