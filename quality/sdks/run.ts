import { stdout } from 'node:process'
import { readOptions, runCommand, UsageError } from '../../localstack/command.ts'
import { freeOffset, startStack, temporaryFolder } from '../../test/support/stack.ts'
import { newCredentials } from './cases.ts'
import { compare } from './compare.ts'
import { exitCodeOf, type Outcome, reportOf } from './report.ts'
import type { Call, Sdk } from './sdk.ts'
import { SDKS } from './table.ts'

const USAGE = `npm run quality -- sdks [--only SOURCE]

Starts the service and sends it calls that the official packages of its providers sign, or that npm run send signs for
those that only verify: good ones, tampered ones, old ones. Each call is judged by the package, too. Exit 1 if a verdict
of the service is another one, unless that is decided.

  --only SOURCE  takes the packages of one source

Sources: ${[...new Set(SDKS.map(({ source }) => source))].join(', ')}
`

await runCommand({ name: 'quality -- sdks', usage: USAGE, run })

async function run(args: readonly string[]): Promise<number> {
  const { values } = readOptions({ args: [...args], options: { only: { type: 'string' } } })
  const outcomes = await judged(chosen(values.only))
  stdout.write(reportOf(outcomes))
  return exitCodeOf(outcomes)
}

function chosen(only: string | undefined): readonly Sdk[] {
  const sdks = SDKS.filter(({ source }) => source === (only ?? source))
  if (sdks.length === 0) throw new UsageError('--only must be one of the sources')
  return sdks
}

async function judged(sdks: readonly Sdk[]): Promise<readonly Outcome[]> {
  const keys = new Map(sdks.map((sdk) => [sdk.source, newCredentials(sdk)]))
  const data = temporaryFolder()
  const stack = await startStack({
    PORT_OFFSET: String(await freeOffset()),
    DATA_DIR: data.path,
    PROFILE: 'jwt',
    WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: '0',
    WEBHOOK_SECRETS: JSON.stringify(Object.fromEntries([...keys].map(([source, { secret }]) => [source, secret]))),
  })
  try {
    const service = { address: stack.ready.http, send, now: () => performance.now() }
    const outcomes: Outcome[] = []
    for (const sdk of sdks) {
      const credentials = keys.get(sdk.source) ?? newCredentials(sdk)
      outcomes.push({ sdk, judged: await compare(sdk, { ...service, credentials }) })
    }
    return outcomes
  } finally {
    await stack.stop()
    data.remove()
  }
}

async function send({ url, headers, body }: Call): Promise<number> {
  const response = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body), redirect: 'manual' })
  await response.arrayBuffer()
  return response.status
}
