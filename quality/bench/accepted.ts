import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { freshBundles } from '../../localstack/bundles.ts'
import { LAMBDA_ENVIRONMENT, STRIPE_SECRET } from '../../test/support/lambda-environment.ts'
import { freeOffset, type Stack, startStack } from '../../test/support/stack.ts'
import { stripeEvent } from './accepted/events.ts'
import { type Meter, type MeteringProxy, meteringProxy } from './accepted/metering-proxy.ts'
import type { Round } from './accepted/subject.ts'
import { comparison } from './comparison.ts'
import { effort } from './effort.ts'
import { type Findings, type Goal, tableOf, together, verdictOf } from './findings.ts'
import { type Bundles, bundled } from './peers.ts'
import { ask, interleaved, type Subject, startSubject } from './subjects.ts'

const ROUNDS = effort(15, 1)
const CALLS = effort(100, 5)
const WARM_UP = effort(1000, 5)

const PEERS = ['express-powertools', 'express-writes']

/** How many requests one webhook of ours makes. */
const REQUESTS: Readonly<Record<string, number>> = { accepted: 1, duplicate: 1, superseded: 2, 'bad signature': 0 }

/** A webhook of Stripe from its event to its answer, with all that is stored: ours and what else one would write. */
export async function accepted(): Promise<Findings> {
  await freshBundles()
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-'))
  const stack = await startStack({ PORT_OFFSET: String(await freeOffset()), DATA_DIR: 'memory' })
  try {
    await makePeersTables(stack)
    const peers = await bundled(
      PEERS.map((name) => `${import.meta.dirname}/peers/accepted/${name}.mjs`),
      folder,
    )
    const files: Bundles = new Map([['gatehouse', resolve('dist/webhooks/stripe/index.mjs')], ...peers])
    return together({ 'what DynamoDB is asked for': await counted(files, stack), ...(await timed(files, stack)) })
  } finally {
    await stack.stop()
    rmSync(folder, { recursive: true })
  }
}

async function makePeersTables({ ready }: Stack): Promise<void> {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const client = new DynamoDBClient({ endpoint: ready.dynamodb, region: 'eu-central-1', credentials })
  for (const name of ['bench-events', 'bench-payments', 'bench-idempotency'])
    await client.send(
      new CreateTableCommand({
        TableName: name,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      }),
    )
  client.destroy()
}

function environmentOf({ ready }: Stack, dynamodb: string, limit: string) {
  return {
    ...LAMBDA_ENVIRONMENT,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
    AWS_ENDPOINT_URL_SQS: ready.sqs,
    AWS_ENDPOINT_URL_SNS: ready.sqs,
    WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: limit,
    POWERTOOLS_DEV: 'false',
    STRIPE_SECRET,
  }
}

/** The limiter, which peers do not have, is off here: it asks once for eleven webhooks. */
async function counted(files: Bundles, stack: Stack): Promise<Findings> {
  const proxy = await meteringProxy(stack.ready.dynamodb)
  const environment = environmentOf(stack, proxy.url, '0')
  const all = new Map<string, Readonly<Record<string, Meter>>>()
  for (const [name, file] of files) {
    const subject = await startSubject(name, 'accepted/subject.ts', [file], environment)
    all.set(name, await metersOf(subject, proxy))
    subject.child.kill()
  }
  await proxy.close()
  const goals = Object.entries(REQUESTS).map(([kind, wanted]) => requestsGoal(kind, wanted, all.get('gatehouse')))
  const rows = Object.keys(REQUESTS).map((kind, index) => [
    kind,
    ...[...all.values()].map((meters) => textOf(meters[kind])),
    verdictOf(goals[index]),
  ])
  return { table: tableOf(['requests (units)', ...all.keys(), 'goal'], rows), goals, ratios: [] }
}

function requestsGoal(kind: string, wanted: number, meters: Readonly<Record<string, Meter>> = {}): Goal {
  const requests = meters[kind]?.requests
  const what = `DynamoDB requests for a webhook: ${kind}`
  return { what, wanted: `${wanted}`, measured: `${requests}`, isMet: requests === wanted }
}

function textOf(meter: Meter | undefined): string {
  return meter === undefined ? '' : `${meter.requests} (${meter.units})`
}

async function metersOf(subject: Subject, proxy: MeteringProxy): Promise<Readonly<Record<string, Meter>>> {
  const meterOf = async (event: string, status = 200): Promise<Meter> => {
    await ask(subject, { events: [event], status } satisfies Round)
    return proxy.take()
  }
  const intent = randomUUID()
  const event = stripeEvent('payment_intent.succeeded', intent)
  return {
    accepted: await meterOf(event),
    duplicate: await meterOf(event),
    superseded: await meterOf(stripeEvent('payment_intent.payment_failed', intent)),
    'bad signature': await meterOf(stripeEvent('payment_intent.succeeded', intent, 'whsec_other'), 400),
  }
}

const succeeded = () => stripeEvent('payment_intent.succeeded')

/** What is sent, by its kind; peers call a duplicate and a refusal the same as we do. */
const KINDS: Readonly<Record<string, { readonly status: number; readonly events: (count: number) => string[] }>> = {
  accepted: { status: 200, events: (count) => Array.from({ length: count }, succeeded) },
  duplicate: { status: 200, events: (count) => Array(count).fill(succeeded()) },
  'bad signature': {
    status: 400,
    events: (count) => Array(count).fill(stripeEvent('payment_intent.succeeded', undefined, 'whsec_other')),
  },
}

/** The limiter is on, as it is deployed, but does not refuse the measuring. */
async function timed(files: Bundles, stack: Stack): Promise<Readonly<Record<string, Findings>>> {
  const environment = environmentOf(stack, stack.ready.dynamodb, '1000000')
  const subjects = await Promise.all(
    [...files].map(([name, file]) => startSubject(name, 'accepted/subject.ts', [file], environment)),
  )
  const pieces: Record<string, Findings> = {}
  for (const [kind, { status, events }] of Object.entries(KINDS)) {
    const round = (count: number): Round => ({ events: events(count), status })
    const plan = { rounds: ROUNDS, warmUp: round(WARM_UP), round: () => round(CALLS) }
    pieces[`${kind}, the function's CPU`] = comparison({
      what: `a webhook of Stripe, ${kind}`,
      unit: 'µs of CPU',
      costs: await interleaved(subjects, plan),
      atLeast: kind === 'accepted' ? { 'express-powertools': 2 } : {},
    })
  }
  for (const { child } of subjects) child.kill()
  return pieces
}
