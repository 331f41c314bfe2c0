import { stdout } from 'node:process'
import { readOptions, runCommand, wholeOption } from '../../localstack/command.ts'
import { keep } from '../support/figures.ts'
import { chaos } from './chaos.ts'
import { summaryOf } from './summary.ts'
import { isClean } from './verdict.ts'

const USAGE = `npm run quality -- chaos [--kills N] [--events N] [--minutes N] [--seed N] [--keep]

Starts the whole service, sends it webhooks, and kills its processes with SIGKILL while they come in: gateway with
functions, database, queue, channels, and all of it at once. In the end every event has to be where its sender and two
kinds of watchers have to find it: none lost, none doubled, none half applied. Exit 1 when one is not.

  --kills N    how many (50)
  --events N   sent meanwhile (20000)
  --minutes N  no kill begins later than that (15)
  --seed N     of the order and the moments of the kills (the time)
  --keep       keeps the figures for the README
`

const OPTIONS = {
  kills: { type: 'string', default: '50' },
  events: { type: 'string', default: '20000' },
  minutes: { type: 'string', default: '15' },
  seed: { type: 'string' },
  keep: { type: 'boolean', default: false },
} as const

const MINUTE = 60_000

async function run(): Promise<number> {
  const { values } = readOptions({ options: OPTIONS })
  const kills = wholeOption('kills', values.kills, [1, 10_000])
  const events = wholeOption('events', values.events, [kills, 1_000_000])
  const minutes = wholeOption('minutes', values.minutes, [1, 1440])
  const seed = wholeOption('seed', values.seed ?? String(Date.now() % 1_000_000), [0, 1_000_000_000])

  stdout.write(`seed ${seed}\n`)
  const began = performance.now()
  const onKill = (name: string, milliseconds: number) =>
    void stdout.write(`${name} killed, back after ${milliseconds} ms\n`)
  const outcome = await chaos({ kills, events, seed, limit: minutes * MINUTE, onKill })
  const took = (performance.now() - began) / MINUTE
  const { tried, found, findings, examples } = summaryOf(outcome)
  stdout.write([tried, ...found, ...examples, `${findings}, in ${took.toFixed(1)} minutes`, ''].join('\n'))
  if (values.keep) {
    keep('chaos', {
      claim: 'Processes killed with SIGKILL under load',
      command: `npm run quality -- chaos --kills ${kills} --events ${events}`,
      tried,
      found: findings,
      minutes: took,
    })
  }
  return isClean(outcome.verdict) ? 0 : 1
}

await runCommand({ name: 'quality -- chaos', usage: USAGE, run })
