import { stdout } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { readOptions, runCommand, wholeOption } from '../../localstack/command.ts'
import { type Outcome, percentile } from './load.ts'
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
`

const OPTIONS = {
  seconds: { type: 'string', default: '20' },
  callers: { type: 'string', default: '32' },
} as const

/** How long the service may turn callers away once there are few again. */
const RECOVERY_SECONDS = 10

await runCommand({ name: 'quality -- load', usage: USAGE, run })

async function run(args: readonly string[]): Promise<number> {
  const { values } = readOptions({ args: [...args], options: OPTIONS })
  const seconds = wholeOption('--seconds', values.seconds, [2, 600])
  const callers = wholeOption('--callers', values.callers, [1, 1000])
  const target = await startTarget()
  try {
    const found = await measure(target, seconds, callers)
    const audit = await target.audit()
    stdout.write(`${audit.acknowledged} events acknowledged, ${audit.missing} of them missing\n`)
    const { recovery, wrong } = found
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
  return { recovery, wrong: wrong.length }
}

function report(name: string, outcome: Outcome): void {
  const answers = [...outcome.answers].map(([answer, count]) => `${count} × ${answer}`).join(', ')
  const [median, high, most] = [50, 99, 100].map((percent) => percentile(outcome, percent).toFixed(1))
  stdout.write(`${name}: ${outcome.sent} calls, ${median} ms median, ${high} ms p99, ${most} ms at most; ${answers}\n`)
}
