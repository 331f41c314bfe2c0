import { stdout } from 'node:process'
import { readOptions, runCommand, wholeOption } from '../../localstack/command.ts'
import { type ChaosOptions, chaos } from './chaos.ts'
import { type DeliveryChaosOptions, deliveryChaos } from './deliveries.ts'
import { deliverySummaryOf, type Told } from './delivery-summary.ts'
import { summaryOf } from './summary.ts'
import { isClean } from './verdict.ts'

const USAGE = `npm run quality -- chaos [--deliveries] [--kills N] [--events N] [--minutes N] [--seed N]

Starts the whole service, sends it webhooks, and kills its processes with SIGKILL while they come in: gateway with
functions, database, queue, channels, and all of it at once. In the end every event has to be where its sender and two
kinds of watchers have to find it: none lost, none doubled, none half applied. Exit 1 when one is not.

With --deliveries three destinations are to have every event, and one of them is down for half of the time. Each has to
get each event, and twice only after a kill; the healthy ones as soon as ever.

  --deliveries the events that others are to have
  --kills N    how many (50; 5 with --deliveries)
  --events N   sent meanwhile (20000; 2000 with --deliveries)
  --minutes N  no kill begins later than that (15); not with --deliveries
  --seed N     of the order and the moments of the kills (the time)
`

const OPTIONS = {
  deliveries: { type: 'boolean', default: false },
  kills: { type: 'string' },
  events: { type: 'string' },
  minutes: { type: 'string', default: '15' },
  seed: { type: 'string' },
} as const

const MINUTE = 60_000

async function run(): Promise<number> {
  const { values } = readOptions({ options: OPTIONS })
  const usual = values.deliveries ? { kills: '5', events: '2000' } : { kills: '50', events: '20000' }
  const kills = wholeOption('--kills', values.kills ?? usual.kills, [1, 10_000])
  const events = wholeOption('--events', values.events ?? usual.events, [kills, 1_000_000])
  const minutes = wholeOption('--minutes', values.minutes, [1, 1440])
  const seed = wholeOption('--seed', values.seed ?? String(Date.now() % 1_000_000), [0, 1_000_000_000])

  stdout.write(`seed ${seed}\n`)
  const began = performance.now()
  const options = { kills, events, seed, onKill }
  const { isClean, tried, found, lines } = values.deliveries
    ? await deliveryRun(options)
    : await storeRun({ ...options, limit: minutes * MINUTE })
  const took = (performance.now() - began) / MINUTE
  stdout.write([tried, ...lines, `${found}, in ${took.toFixed(1)} minutes`, ''].join('\n'))
  return isClean ? 0 : 1
}

function onKill(name: string, milliseconds: number): void {
  stdout.write(`${name} killed, back after ${milliseconds} ms\n`)
}

async function storeRun(options: ChaosOptions): Promise<Told> {
  const outcome = await chaos(options)
  const { tried, found, findings, examples } = summaryOf(outcome)
  return {
    tried,
    found: findings,
    lines: [...found, ...examples],
    isClean: isClean(outcome.verdict),
  }
}

async function deliveryRun(options: DeliveryChaosOptions): Promise<Told> {
  return deliverySummaryOf(await deliveryChaos(options))
}

await runCommand({ name: 'quality -- chaos', usage: USAGE, run })
