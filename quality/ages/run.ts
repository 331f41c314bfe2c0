import { stdout } from 'node:process'
import { readOptions, runCommand, UsageError, wholeOption } from '../../localstack/command.ts'
import { pythonWith } from '../../test/support/python.ts'
import { type Ages, WELL, watchAges } from './ages.ts'

const USAGE = `npm run quality -- ages [options]

Brings up a service whose gRPC connections live for a minute and sends it webhooks for twelve such ages; then one as it is
by default, for 40 minutes. Watch streams of grpc-js and python3-grpcio, three on each connection, resume by their cursors.
Exit 1 if one of them missed an event or was told of one twice, or ended otherwise than UNAVAILABLE with its details.

  --age N      seconds of GRPC_CONNECTION_AGE_SECONDS (60)
  --ages N     how many of them (12; 0 leaves this part out)
  --minutes N  how long with the default (40; 0 leaves this part out)
`

const OPTIONS = {
  age: { type: 'string', default: '60' },
  ages: { type: 'string', default: '12' },
  minutes: { type: 'string', default: '40' },
} as const

/** A stream lives for a fifth more than the age, at most. */
const LONGEST = 1.2

/** In seconds. */
const DEFAULT_AGE = 1800

await runCommand({ name: 'quality -- ages', usage: USAGE, run })

async function run(args: readonly string[]): Promise<number> {
  const { values } = readOptions({ args: [...args], options: OPTIONS })
  const age = wholeOption('--age', values.age, [10, 86_400])
  const ages = wholeOption('--ages', values.ages, [0, 1000])
  const minutes = wholeOption('--minutes', values.minutes, [0, 1440])
  const python = pythonWith('grpc', 'grpc_tools')
  if (python === undefined) throw new UsageError('python3-grpcio and python3-grpc-tools are not installed')
  const plans: readonly Ages[] = [
    ...(ages > 0 ? [{ age, seconds: Math.ceil(ages * age * LONGEST) + 1, python }] : []),
    ...(minutes > 0 ? [{ seconds: minutes * 60, python }] : []),
  ]
  let isSound = true
  for (const plan of plans) isSound = (await follow(plan)) && isSound
  return isSound ? 0 : 1
}

async function follow(plan: Ages): Promise<boolean> {
  const { sent, watched } = await watchAges(plan)
  const { age = DEFAULT_AGE, seconds } = plan
  const fewest = Math.floor(seconds / (age * LONGEST))
  stdout.write(`age ${age} s, ${seconds} s, ${sent} events\n`)
  for (const { name, missed, twice, ends } of watched) {
    stdout.write(`${name}: ${missed.length} missed, ${twice.length} twice, ${ends.length} ends of at least ${fewest}\n`)
    for (const end of new Set(ends)) if (end !== WELL) stdout.write(`wrong: ${end}\n`)
  }
  return watched.every(
    ({ missed, twice, ends }) =>
      missed.length + twice.length === 0 && ends.length >= fewest && ends.every((end) => end === WELL),
  )
}
