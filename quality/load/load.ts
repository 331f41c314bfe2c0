import { execFile } from 'node:child_process'
import { execPath, stdout } from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { readOptions, runCommand, wholeOption } from '../../localstack/command.ts'
import { freeOffset, startStack } from '../../test/support/stack.ts'

const USAGE = `npm run quality -- load [--seconds N]

Sends payments to a service of its own with autocannon: finds its capacity, then sends half of it, more than it has room
for, and half again. Exit 1 if overload is not rejected with 429 or 503, if anything is rejected before it or five seconds
after it, or if any other answer comes.

  --seconds N  of each step (10)
`

const CALLERS = ['--connections', '32']
const RECOVERY_SECONDS = 5

/** Calls under way: more than a local run has room for. */
const MANY = 600

const PAYMENT = {
  eventId: '[<id>]',
  transactionId: '[<id>]',
  orderId: 'o',
  status: 'COMPLETED',
  amount: 1,
  currency: 'EUR',
}

interface Outcome {
  readonly statusCodeStats: Readonly<Record<string, { readonly count: number }>>
  readonly errors: number
  readonly duration: number
}

await runCommand({ name: 'quality -- load', usage: USAGE, run })

async function run(args: readonly string[]): Promise<number> {
  const { values } = readOptions({ args: [...args], options: { seconds: { type: 'string', default: '10' } } })
  const seconds = wholeOption('--seconds', values.seconds, [2, 600])
  const environment = { PORT_OFFSET: String(await freeOffset()), DATA_DIR: 'memory' }
  const stack = await startStack({ ...environment, WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: '0' })
  const send = async (step: string, options: readonly string[], duration = seconds): Promise<Outcome> => {
    const outcome = await cannon(stack.ready.http, [...options, '--duration', `${duration}`])
    const answers = Object.entries(outcome.statusCodeStats).map(([status, { count }]) => `${count} × ${status}`)
    stdout.write(`${step}: ${answers.join(', ')}; ${outcome.errors} not answered; ${outcome.duration} s\n`)
    return outcome
  }
  const rate = (perSecond: number) => ['--overallRate', `${Math.ceil(perSecond)}`]
  try {
    await send('compiles the code', CALLERS, RECOVERY_SECONDS)
    const alone = await send('32 callers who wait', CALLERS)
    const capacity = (alone.statusCodeStats['200']?.count ?? 0) / alone.duration
    const half = [...CALLERS, ...rate(capacity / 2)]
    const before = await send('half of that', half)
    const flood = ['--connections', `${MANY}`, ...rate(Math.max(3 * capacity, MANY))]
    const overload = await send('three times of it, and 600 calls under way', flood)
    await send('half again, at first', half, RECOVERY_SECONDS)
    const after = await send('half again', half)
    const { '429': limited, '503': rejected } = overload.statusCodeStats
    const areAnswered = [alone, before, after].every((outcome) => isOnly(outcome, ['200']))
    return areAnswered && (limited ?? rejected) && isOnly(overload, ['200', '429', '503']) ? 0 : 1
  } finally {
    await stack.stop()
  }
}

function isOnly({ statusCodeStats, errors }: Outcome, statuses: readonly string[]): boolean {
  return errors === 0 && Object.keys(statusCodeStats).every((status) => statuses.includes(status))
}

/** Posts payments, each with an id of its own. */
async function cannon(address: string, options: readonly string[]): Promise<Outcome> {
  const program = fileURLToPath(import.meta.resolve('autocannon'))
  const call = ['--method', 'POST', '--headers', 'content-type=application/json', '--idReplacement', '--json']
  const line = [program, ...call, '--body', JSON.stringify(PAYMENT), ...options, '--no-progress']
  const told = await promisify(execFile)(execPath, [...line, `${address}/webhooks/payment`])
  return JSON.parse(told.stdout)
}
