import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DIST, freshBuild } from '../../infra/builds.ts'
import { LAMBDA_ENVIRONMENT, STRIPE_SECRET } from '../../test/support/lambda-environment.ts'
import { githubEvent, stripeEvent } from '../../test/support/sent-events.ts'
import { freeOffset, type Stack, startStack } from '../../test/support/stack.ts'
import { type Calls, callsOf, signedByGithub, signedByStripe, written } from './calls.ts'
import { effort, IS_SHORT } from './effort.ts'
import { compared, type Findings, judged, type Row } from './findings.ts'
import { type Environment, hasValgrind, instructions, perCall } from './meter.ts'
import { meteringProxy } from './metering-proxy.ts'
import { type Bundles, bundledPeers } from './peers.ts'
import { ask, interleaved, startSubjects } from './subjects.ts'

const ROUNDS = effort(15, 1)
const CALLS = effort(100, 5)
const WARM_UP = effort(1000, 5)

/** By then V8 has compiled what it will; what is between the two is counted in instructions. */
const COUNTED = [300, 800] as const

/** Calls a minute: none are counted, or all are and none is refused. */
const LIMITERS = { 'limiter off': '0', 'limiter on': '1000000' }

/** What a call is of 2 KB, by its kind. */
const KINDS: Readonly<Record<string, () => Calls>> = {
  accepted: () => callsOf(signedByStripe(stripeEvent(2048))),
  duplicate: () => callsOf(signedByStripe(stripeEvent(2048))),
  'bad signature': () => callsOf(signedByStripe(stripeEvent(2048), 'whsec_other'), 400),
}

/** A webhook of Stripe from its event to its answer, with all that is stored: ours and what else one would write. */
export async function accepted(): Promise<Findings> {
  await freshBuild(DIST)
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-'))
  const stack = await startStack({ PORT_OFFSET: String(await freeOffset()), DATA_DIR: 'memory' })
  try {
    await makePeersTables(stack)
    const peers = await bundledPeers(folder, 'accepted')
    const bundles: Bundles = new Map([['gatehouse', resolve('dist/webhooks/stripe/index.mjs')], ...peers])
    const rows: Row[] = [...(await metered(bundles, stack, folder))]
    for (const [limiter, limit] of Object.entries(LIMITERS))
      rows.push(...(await timed(bundles, environmentOf(stack, stack.ready.dynamodb, limit), { limiter, folder })))
    return judged(rows)
  } finally {
    await stack.stop()
    rmSync(folder, { recursive: true })
  }
}

async function makePeersTables({ ready }: Stack): Promise<void> {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const client = new DynamoDBClient({ endpoint: ready.dynamodb, region: 'eu-central-1', credentials })
  for (const TableName of ['bench-events', 'bench-payments', 'bench-idempotency'])
    await client.send(
      new CreateTableCommand({
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      }),
    )
  client.destroy()
}

function environmentOf({ ready }: Stack, dynamodb: string, limit: string): Environment {
  return {
    ...LAMBDA_ENVIRONMENT,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
    AWS_ENDPOINT_URL_SQS: ready.sqs,
    WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: limit,
    POWERTOOLS_DEV: 'false',
    STRIPE_SECRET,
  }
}

/** What one webhook of 3 KB of each kind asks of DynamoDB. */
async function metered(bundles: Bundles, stack: Stack, folder: string): Promise<readonly Row[]> {
  const proxy = await meteringProxy(stack.ready.dynamodb)
  const github = new Map([['gatehouse, GitHub', resolve('dist/webhooks/github/index.mjs')]])
  const subjects = await startSubjects(new Map([...bundles, ...github]), environmentOf(stack, proxy.url, '0'))
  const rows: Row[] = []
  for (const subject of subjects) {
    for (const [kind, given] of subject.name.endsWith('GitHub') ? githubCalls() : stripeCalls()) {
      proxy.take()
      await ask(subject, { calls: written(join(folder, 'one.json'), given) })
      const { requests, units } = proxy.take()
      if (kind === '') continue
      rows.push({ what: `${kind}, 3 KB: ${subject.name}`, unit: 'requests', value: requests })
      rows.push({ what: `${kind}, 3 KB: ${subject.name}`, unit: 'write units', value: units })
    }
    subject.child.kill()
  }
  proxy.stop()
  return rows
}

type Named = readonly (readonly [kind: string, Calls])[]

/** The first two are not told: once in a while, what was heard and what was refused is noted. */
function stripeCalls(): Named {
  const intent = `pi_${randomUUID()}`
  const body = stripeEvent(3072, { intent })
  const other = stripeEvent(3072, { type: 'payment_intent.created' })
  const late = stripeEvent(3072, { type: 'payment_intent.payment_failed', intent })
  const refused = callsOf(signedByStripe(body, 'whsec_other'), 400)
  return [
    ['', callsOf(signedByStripe(stripeEvent(3072)))],
    ['', refused],
    ['accepted, a payment', callsOf(signedByStripe(body))],
    ['accepted, another one', callsOf(signedByStripe(other))],
    ['duplicate', callsOf(signedByStripe(body))],
    ['superseded', callsOf(signedByStripe(late))],
    ['bad signature', refused],
  ]
}

function githubCalls(): Named {
  const next = () => callsOf(signedByGithub(githubEvent(3072)))
  return [
    ['', next()],
    ['accepted', next()],
  ]
}

/** What a webhook of each kind takes of the function. */
async function timed(
  bundles: Bundles,
  environment: Environment,
  { limiter, folder }: { readonly limiter: string; readonly folder: string },
): Promise<readonly Row[]> {
  const subjects = await startSubjects(bundles, environment)
  const rows: Row[] = []
  for (const [kind, next] of Object.entries(KINDS)) {
    const what = `${kind}, ${limiter}`
    const isSame = kind !== 'accepted'
    const same = next()
    const round = (count: number) => {
      const events = Array.from({ length: count }, () => (isSame ? same : next()).events).flat()
      return { calls: written(join(folder, 'round.json'), { ...same, events }) }
    }
    rows.push(...compared(what, 'µs of CPU', await interleaved(subjects, ROUNDS, round(WARM_UP), () => round(CALLS))))
    if (!isSame || IS_SHORT || !hasValgrind()) continue
    const costs = new Map<string, readonly number[]>()
    for (const [name, bundle] of bundles) {
      const start = { bundle, calls: written(join(folder, 'counted.json'), next()), environment }
      // Two processes are measured at once. A peer refuses a duplicate while the other process stores the same event.
      await instructions(start, 1)
      costs.set(name, [await perCall(start, COUNTED)])
    }
    rows.push(...compared(`${what}, instructions`, 'million instructions', costs))
  }
  for (const { child } of subjects) child.kill()
  return rows
}
