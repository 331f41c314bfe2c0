import { exit, stderr, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { schemeOf } from '../lib/webhooks/schemes/table.ts'
import { localAddress, webhookSecret } from './local-run.ts'
import { PROVIDERS, type Provider, type SignedRequest, sampleEvent } from './sample-events.ts'
import { StartError } from './start-error.ts'

const USAGE = `npm run send -- <provider> <event> [options]

  -n N              send N events (1)
  --duplicate       send each event twice
  --bad-signature   sign with another secret
  --old N           sign N seconds in the past

${Object.entries(PROVIDERS)
  .map(([name, { events }]) => `  ${name}: ${events.join(', ')}`)
  .join('\n')}
`

const OPTIONS = {
  number: { type: 'string', short: 'n', default: '1' },
  duplicate: { type: 'boolean', default: false },
  'bad-signature': { type: 'boolean', default: false },
  old: { type: 'string', default: '0' },
} as const

const { values: options, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true })
const [name = '', event = ''] = positionals
const provider = Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name] : undefined
const count = Number(options.number)
const age = Number(options.old)

if (!provider || event === '' || !Number.isInteger(count) || count < 1 || !(age >= 0)) {
  stderr.write(USAGE)
  exit(2)
}

try {
  exit((await sendAll(provider)) ? 0 : 1)
} catch (error) {
  if (!(error instanceof StartError)) throw error
  stderr.write(`${error.message}\n`)
  exit(1)
}

/** Sends what the options ask for; whether every answer was the one to expect. */
async function sendAll(to: Provider): Promise<boolean> {
  const secret = options['bad-signature'] ? 'another secret' : webhookSecret(to.secret)
  const isRefused = options['bad-signature'] || age > schemeOf(to.secret).toleranceSeconds
  const copies = options.duplicate ? 2 : 1
  let asExpected = 0
  for (let index = 0; index < count; index++) {
    const request = sampleEvent(to, event, { secret, signedAt: new Date(Date.now() - age * 1000) })
    for (let copy = 0; copy < copies; copy++) {
      if ((await send(request)) !== isRefused) asExpected++
    }
  }
  stdout.write(`${count * copies} sent, ${asExpected} answered as expected\n`)
  return asExpected === count * copies
}

/** Sends one request and prints its answer; whether it was accepted. */
async function send({ id, path, headers, body }: SignedRequest): Promise<boolean> {
  const start = performance.now()
  const address = new URL(path, localAddress())
  const response = await fetch(address, { method: 'POST', headers, body: new Uint8Array(body) }).catch((cause) => {
    throw new StartError(`Nothing answers at ${address}: start the service first.`, { cause })
  })
  const answer = await response.text()
  stdout.write(`${id}  ${response.status}  ${Math.round(performance.now() - start)} ms  ${answer}\n`)
  return response.ok
}
