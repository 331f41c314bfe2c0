import { randomUUID } from 'node:crypto'
import { join, resolve } from 'node:path'
import { CreateTableCommand, type CreateTableCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DIST, freshBuild } from '../../infra/builds.ts'
import { LAMBDA_ENVIRONMENT, STRIPE_SECRET } from '../../test/support/lambda-environment.ts'
import { githubEvent, stripeEvent } from '../../test/support/sent-events.ts'
import { freeOffset, type Stack, startStack } from '../../test/support/stack.ts'
import { type Calls, sentByGithub, sentByStripe, written } from './calls.ts'
import { effort } from './effort.ts'
import { compared, type Row } from './findings.ts'
import type { Environment } from './meter.ts'
import { type Bundles, bundledPeers } from './peers.ts'
import { meteringProxy } from './servers.ts'
import { ask, interleaved, startSubjects } from './subjects.ts'

const ROUNDS = effort(15, 1)
const CALLS = effort(100, 5)
const WARM_UP = effort(1000, 5)

/** Calls a minute: none are counted, or all are and none is refused. */
const LIMITERS = { 'limiter off': '0', 'limiter on': '1000000' }

const OTHER_SECRET = 'whsec_other'

/** What a call is of 2 KB, by its kind. */
const KINDS: Readonly<Record<string, () => Calls>> = {
  accepted: () => sentByStripe(stripeEvent(2048)),
  duplicate: () => sentByStripe(stripeEvent(2048)),
  'bad signature': () => sentByStripe(stripeEvent(2048), OTHER_SECRET),
}

/** A webhook of Stripe from its event to its answer, with all that is stored: ours and what else one would write. */
export async function accepted(folder: string): Promise<readonly Row[]> {
  await freshBuild(DIST)
  const stack = await startStack({ PORT_OFFSET: String(await freeOffset()), DATA_DIR: 'memory' })
  try {
    await makePeersTables(stack)
    const peers = await bundledPeers(folder, 'accepted')
    const bundles: Bundles = new Map([['gatehouse', resolve('dist/webhooks/stripe/index.mjs')], ...peers])
    const rows = await metered(bundles, stack, folder)
    for (const [limiter, limit] of Object.entries(LIMITERS))
      rows.push(...(await timed(bundles, environmentOf(stack, stack.ready.dynamodb, limit), [limiter, folder])))
    return rows
  } finally {
    await stack.stop()
  }
}

const BY_ID: Omit<CreateTableCommandInput, 'TableName'> = {
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
}

async function makePeersTables({ ready }: Stack): Promise<void> {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const client = new DynamoDBClient({ endpoint: ready.dynamodb, region: 'eu-central-1', credentials })
  for (const TableName of ['bench-events', 'bench-payments', 'bench-idempotency'])
    await client.send(new CreateTableCommand({ TableName, ...BY_ID }))
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
async function metered(bundles: Bundles, stack: Stack, folder: string): Promise<Row[]> {
  const proxy = await meteringProxy(stack.ready.dynamodb)
  const github = new Map([['gatehouse, GitHub', resolve('dist/webhooks/github/index.mjs')]])
  const subjects = await startSubjects(new Map([...bundles, ...github]), environmentOf(stack, proxy.url, '0'))
  const rows: Row[] = []
  for (const subject of subjects) {
    for (const [kind, given] of samples()[subject.name.endsWith('GitHub') ? 'github' : 'stripe']) {
      proxy.take()
      await ask(subject, { calls: written(join(folder, 'one.json'), given) })
      const { requests, units } = proxy.take()
      const what = `${kind}, 3 KB: ${subject.name}`
      if (kind !== '')
        rows.push({ what, unit: 'requests', value: requests }, { what, unit: 'write units', value: units })
    }
    subject.child.kill()
  }
  proxy.stop()
  return rows
}

/** The first two of Stripe are not told: once in a while, what was heard and what was refused is noted. */
function samples(): Readonly<Record<'stripe' | 'github', readonly (readonly [kind: string, Calls])[]>> {
  const intent = `pi_${randomUUID()}`
  const body = stripeEvent(3000, { intent })
  const refused = sentByStripe(body, OTHER_SECRET)
  const stripe = [
    ['', sentByStripe(stripeEvent(3000))],
    ['', refused],
    ['accepted, a payment', sentByStripe(body)],
    ['accepted, another one', sentByStripe(stripeEvent(3000, { type: 'payment_intent.created' }))],
    ['duplicate', sentByStripe(body)],
    ['superseded', sentByStripe(stripeEvent(3000, { type: 'payment_intent.payment_failed', intent }))],
    ['bad signature', refused],
  ] as const
  const github = ['', 'accepted'].map((kind) => [kind, sentByGithub(githubEvent(3000))] as const)
  return { stripe, github }
}

/** What a webhook of each kind takes of the function. */
async function timed(
  bundles: Bundles,
  environment: Environment,
  [limiter, folder]: readonly [limiter: string, folder: string],
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
    for (const subject of subjects) await ask(subject, round(WARM_UP))
    const costs = await interleaved(subjects, ROUNDS, (subject) => ask(subject, round(CALLS)))
    rows.push(...compared(what, 'µs of CPU', costs))
  }
  for (const { child } of subjects) child.kill()
  return rows
}
