import { stdout } from 'node:process'
import { runCommand } from '../../localstack/command.ts'
import { type Billed, type Part, PRICES, type Price } from './prices.ts'
import { DESTINATIONS, EVENTS, type Flow, usageOf } from './usage.ts'

const USAGE = `npm run quality -- cost

Prints what a month on AWS costs, by calculation: with no webhook, with a million, and with 100 million; and what a million of them
costs that are received, and that are delivered once.
`

const VOLUMES = [0, 1_000_000, 100_000_000] as const
const ITEMS = Object.entries<Price>(PRICES) as readonly (readonly [Billed, Price])[]
const TRAFFIC = itemsOf('use')
const TITLES = {
  use: 'traffic',
  container: 'the container',
  key: 'kmsKeyArn',
  storage: 'what is kept, of month 1',
} as const
const KINDS = [undefined, 'http', 'sqs', 'eventbridge', 'handler', 'failing'] as const satisfies Flow['destination'][]

await runCommand({ name: 'quality -- cost', usage: USAGE, run })

function run(): number {
  month()
  flows()
  made('at rest, in USD a month', 0)
  made('USD per million, of 100 million', 100_000_000)
  return 0
}

function month(): void {
  line('a month, in USD', ...VOLUMES.map((webhooks) => `${webhooks / 1e6} million`))
  for (const [part, title] of Object.entries(TITLES) as [Part, string][]) {
    line()
    const items = itemsOf(part)
    for (const [service, own] of Map.groupBy(items, ([, price]) => price.service)) line(service, ...costsOf(own))
    line(`${title}, together`, ...costsOf(items))
  }
  line()
  for (const later of [12, 36]) {
    line(`GB in DynamoDB, month ${later}`, ...VOLUMES.map((volume) => figure(usageOf(volume, later).storedGigabytes)))
    line(`what is kept, of month ${later}`, ...costsOf(itemsOf('storage'), later))
  }
  line()
  for (const [name, { service, unit }] of ITEMS)
    line(`${service}: ${unit}`, ...VOLUMES.map((webhooks) => figure(usageOf(webhooks)[name])))
}

/** By event and destination. */
function flows(): void {
  for (const webhooks of VOLUMES.slice(1)) {
    line()
    line(`USD per million, of ${webhooks / 1e6} million`, ...Object.values(EVENTS).map(({ short }) => short))
    for (const destination of KINDS) {
      const events = Object.keys(EVENTS) as (keyof typeof EVENTS)[]
      const title = destination ? `delivered once: ${DESTINATIONS[destination].title}` : 'received'
      line(title, ...events.map((event) => perMillion(webhooks, { event, destination })))
    }
  }
}

/** What the figure for a payment consists of. */
function made(title: string, webhooks: number): void {
  line()
  line(title, ...KINDS.map((kind) => kind ?? 'received'))
  for (const item of TRAFFIC)
    line(
      `${item[1].service}: ${item[1].unit}`,
      ...KINDS.map((destination) => perMillion(webhooks, { destination }, [item])),
    )
  line('together', ...KINDS.map((destination) => perMillion(webhooks, { destination })))
}

function itemsOf(wanted: Part) {
  return ITEMS.filter(([, { part }]) => part === wanted)
}

/** USD of traffic for each million; of none, for the month. */
function perMillion(webhooks: number, flow: Flow, items = TRAFFIC): string {
  return (usdOf(items, usageOf(webhooks, 1, flow)) / (webhooks / 1e6 || 1)).toFixed(2)
}

/** USD of some items at each volume. */
function costsOf(items: typeof ITEMS, months = 1): readonly string[] {
  return VOLUMES.map((webhooks) => usdOf(items, usageOf(webhooks, months)).toFixed(2))
}

function usdOf(items: typeof ITEMS, usage: ReturnType<typeof usageOf>): number {
  return items.reduce((sum, [name, { usd, per }]) => sum + (usage[name] / per) * usd, 0)
}

function figure(amount: number): string {
  return amount.toLocaleString('en', { maximumSignificantDigits: 3 })
}

function line(name = '', ...cells: readonly string[]): void {
  stdout.write(`${name.padEnd(48)}${cells.map((cell) => cell.padStart(14)).join('')}\n`)
}
