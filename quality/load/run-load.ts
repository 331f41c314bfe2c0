import { stdout } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { readOptions, runCommand, wholeOption } from '../../localstack/command.ts'
import { keep } from '../support/figures.ts'
import { type Outcome, percentile, shedOf } from './load.ts'
import { recoveryOf } from './recovery.ts'
import { CONNECTIONS } from './sender.ts'
import { startTarget, type Target } from './target.ts'

const USAGE = `npm run quality -- load [options]

Brings up a service of its own and finds its capacity with callers who wait for their answers. Then comes an open loop,
whose calls come when they are due, whether or not those before were answered: at half of the capacity, at three times
of it, and at half again. Latencies are counted from when a call was due. Exit 1 if a call was answered wrongly, an
acknowledged event is missing, or the service needs more than ten seconds to recover.

  --seconds N  of each part (20)
  --callers N  who find the capacity (32)
  --keep       keep the figures for the README
`

const OPTIONS = {
  seconds: { type: 'string', default: '20' },
  callers: { type: 'string', default: '32' },
  keep: { type: 'boolean', default: false },
} as const

/** How long the service may turn callers away once there are few again. */
const RECOVERY_SECONDS = 10

await runCommand({ name: 'quality -- load', usage: USAGE, run })

async function run(args: readonly string[]): Promise<number> {
  const { values } = readOptions({ args: [...args], options: OPTIONS })
  const seconds = wholeOption('--seconds', values.seconds, [2, 600])
  const callers = wholeOption('--callers', values.callers, [1, 1000])
  const begun = performance.now()
  const target = await startTarget()
  try {
    const found = await measure(target, seconds, callers)
    const audit = await target.audit()
    stdout.write(`${audit.acknowledged} events acknowledged, ${audit.missing} of them missing\n`)
    const { capacity, busy, overload, recovery, wrong } = found
    if (values.keep) {
      keep('load', {
        claim: 'Overload is rejected, and is over when it is over',
        command: `npm run quality -- load --seconds ${seconds}`,
        tried: `${capacity} calls a second are the capacity of the local service; half of it, then three times, ${audit.acknowledged} events acknowledged`,
        found: `median ${percentile(busy, 50).toFixed(0)} ms, p99 ${percentile(busy, 99).toFixed(0)} ms at half; ${shedOf(overload)} of ${overload.sent} rejected with 429 or 503; after it ${recovery} s until all is as before; ${wrong} calls answered wrongly, ${audit.missing} events lost`,
        minutes: (performance.now() - begun) / 60_000,
      })
    }
    return wrong > 0 || audit.missing > 0 || recovery > RECOVERY_SECONDS ? 1 : 0
  } finally {
    await target.stop()
  }
}

async function measure({ load }: Target, seconds: number, callers: number) {
  await load.closed(callers, 3)
  const alone = await load.closed(callers, seconds)
  const capacity = Math.round(alone.sent / seconds)
  report(`${callers} callers who wait`, alone)
  const busy = await load.open(capacity / 2, seconds)
  report('half of that, open loop', busy)
  // Opens the connections.
  const opened = await load.closed(CONNECTIONS, 5)
  const overloaded = load.open(capacity * 3, seconds)
  await setTimeout(seconds * 1000)
  const { recovery, calls } = await recoveryOf(load, capacity / 2, seconds)
  const overload = await overloaded
  report('three times of it', overload)
  stdout.write(`recovered after ${recovery} s\n`)
  const wrong = [alone, busy, opened, overload, ...calls].flatMap((outcome) => outcome.wrong)
  for (const line of wrong.slice(0, 10)) stdout.write(`wrong: ${line}\n`)
  return { capacity, busy, overload, recovery, wrong: wrong.length }
}

function report(name: string, outcome: Outcome): void {
  const answers = [...outcome.answers].map(([answer, count]) => `${count} × ${answer}`).join(', ')
  const [median, high, most] = [50, 99, 100].map((percent) => percentile(outcome, percent).toFixed(1))
  stdout.write(`${name}: ${outcome.sent} calls, ${median} ms median, ${high} ms p99, ${most} ms at most; ${answers}\n`)
}
