import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { METAFILES, type Metafiles } from '../../infra/build.ts'
import { freshBundles } from '../../localstack/bundles.ts'
import { COLD_CALLS } from '../../test/support/cold-calls.ts'
import { LAMBDA_ENVIRONMENT, STRIPE_SECRET } from '../../test/support/lambda-environment.ts'
import { bytesAtStart, loadedAtStart } from '../../test/support/loaded-at-start.ts'
import { bearerCall, type Call, githubDelivery, paymentCall, stripeCall, stripeDelivery } from './cold/calls.ts'
import { constantAws } from './cold/constant-aws.ts'
import { costOfCalls, instructions, type Meter, meterHere, type Start } from './cold/meter.ts'
import { type Comparison, comparison } from './comparison.ts'
import { effort } from './effort.ts'
import { type Findings, judged, tableOf, together } from './findings.ts'
import { median } from './median.ts'
import { bundledPeers } from './peers.ts'

/** A function, and the first thing that it is asked. */
interface Subject {
  readonly name: string
  readonly bundle: string
  readonly call: Call
}

/** Each round's, by the subject. */
type Costs = Comparison['costs']
type Measure = (subjects: readonly Subject[]) => Promise<Costs>
type Environment = Readonly<Record<string, string>>

/** Million instructions of a webhook's function, from its first call to the answer. */
const AFTER_INIT = 50

const WHY = {
  bearer:
    'A start checks the settings, and each function has the table of all routes, so that it can answer 404 and 405 alike. ' +
    'A peer of Middy and jose alone takes 79 of the 111 million.',
  webhook:
    'Loading TLS and crypto, as the SDK does for any address, is 208 million by itself, and ours makes two requests to the ' +
    'tables and one to SNS where the peer makes one. Signed requests in the place of the SDK took 378; the SDK stays, a given.',
  afterInit:
    'The start has already opened the connection to the store, run the intake once and made a line for the log. What is left ' +
    'is the first use of what a start may not do, such as to count.',
}

/** Lambda sets it for each call (AWS X-Ray Developer Guide, "Tracing header"). */
const TRACED = { _X_AMZN_TRACE_ID: 'Root=1-65a5f0d0-0123456789abcdef01234567;Sampled=0' }

const FLOOR = 'floor'

/** One of each kind; all take three minutes more. */
const KINDS: readonly string[] = [
  'api/public-hello',
  'api/user-secure',
  'api/jdbc-users',
  'api/auth-login',
  'api/webhook-events',
  'login/page',
  'login/oauth2-start',
  'console/page',
  'webhooks/github',
  'jobs/retry-scan',
]
const OF_EACH_KIND = COLD_CALLS.filter(([name]) => effort(KINDS, KINDS.slice(0, 1)).includes(name))

/** A fresh process that loads a function and answers one call: ours, and what else one would write. */
export async function cold(): Promise<Findings> {
  await freshBundles()
  const meter = meterHere()
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-'))
  const aws = await constantAws()
  const environment = { ...LAMBDA_ENVIRONMENT, ...TRACED, STRIPE_SECRET, AWS_ENDPOINT_URL: aws.url }
  const measure = measured(meter, (start) => meter.cost(start), environment)
  try {
    const { [FLOOR]: nothing = '', ...apis } = Object.fromEntries(await bundledPeers(folder))
    const webhooks = Object.fromEntries(await bundledPeers(folder, 'peers/cold'))
    const floor = { name: FLOOR, bundle: nothing, call: { event: {} } }
    const bearer = bearerCall()
    const stripe = stripeCall()
    const costs = await measure([
      floor,
      { name: 'gatehouse', bundle: ours('api/admin-secure'), call: bearer },
      ...peersOf(apis, bearer),
    ])
    return together({
      'A call with a bearer token': comparison({
        what: 'cold start, a bearer token',
        unit: meter.unit,
        floor: FLOOR,
        costs,
        atLeast: { hono: 4, powertools: 4, express: 4, nest: 10 },
        why: WHY.bearer,
      }),
      'A webhook of Stripe, with its first write': comparison({
        what: 'cold start, a webhook with its first write',
        unit: meter.unit,
        floor: FLOOR,
        costs: await measure([
          floor,
          { name: 'gatehouse', bundle: ours('webhooks/stripe'), call: stripe },
          { name: 'gatehouse, its own payment webhook', bundle: ours('webhooks/payment'), call: paymentCall() },
          ...peersOf(webhooks, stripe),
        ]),
        atLeast: { 'express-stripe': 2.8 },
        why: WHY.webhook,
      }),
      ...(await afterInit(webhooks, meter, { ...environment, EVENTS_TOPIC_ARN: '' })),
      'Functions of each kind': functionsOf(await measure([floor, ...OF_EACH_KIND.map(subjectOf)]), meter),
    })
  } finally {
    aws.stop()
    rmSync(folder, { recursive: true })
  }
}

function ours(name: string): string {
  return resolve(`dist/${name}/index.mjs`)
}

function peersOf(bundles: Readonly<Record<string, string>>, call: Call): readonly Subject[] {
  return Object.entries(bundles).map(([name, bundle]) => ({ name, bundle, call }))
}

function subjectOf([name, event]: readonly [string, object]): Subject {
  return { name, bundle: ours(name), call: { event } }
}

/** What the first webhook takes of a function that has started, as it is deployed without the container. */
async function afterInit(
  peers: Readonly<Record<string, string>>,
  meter: Meter,
  environment: Environment,
): Promise<Readonly<Record<string, Findings>>> {
  const first = measured(meter, (start) => costOfCalls(meter, start, [0, 1]), environment)
  const stripe = stripeDelivery()
  const costs = await first([
    { name: 'gatehouse', bundle: ours('webhooks/stripe'), call: stripe },
    { name: 'gatehouse, webhooks/github', bundle: ours('webhooks/github'), call: githubDelivery() },
    ...peersOf(peers, stripe),
  ])
  const what = 'the first webhook after init'
  const rows = { 'webhooks/stripe': 'gatehouse', 'webhooks/github': 'gatehouse, webhooks/github' }
  return {
    'The first webhook after init': comparison({ what, unit: meter.unit, costs }),
    'The first webhook after init, absolute': judged(
      Object.entries(rows).map(([name, subject]) => ({
        what: `${what}, ${name}`,
        unit: meter.unit,
        value: median(costs.get(subject) ?? []),
        ...(meter === instructions && { goal: AFTER_INIT, why: WHY.afterInit }),
      })),
    ),
  }
}

function measured(meter: Meter, take: (start: Start) => Promise<number>, environment: Environment): Measure {
  return async (subjects) => {
    const costs = new Map<string, number[]>(subjects.map(({ name }) => [name, []]))
    const starts = subjects.map(
      ({ name, bundle, call }) =>
        async () =>
          costs.get(name)?.push(await take({ bundle, call, environment })),
    )
    for (let round = 0; round < meter.rounds; round++)
      await allOf(round % 2 === 0 ? starts : starts.toReversed(), meter.atOnce)
    return costs
  }
}

/** Runs all, so many at a time. */
async function allOf(starts: readonly (() => Promise<unknown>)[], atOnce: number): Promise<void> {
  const left = starts.values()
  const runner = async () => {
    for (const start of left) await start()
  }
  await Promise.all(Array.from({ length: atOnce }, runner))
}

function functionsOf(costs: Costs, { unit }: Meter): Findings {
  const bundles: Metafiles = JSON.parse(readFileSync(METAFILES, 'utf8'))
  const nothing = median(costs.get(FLOOR) ?? [])
  const rows = OF_EACH_KIND.map(([name]) => {
    const cost = median(costs.get(name) ?? [])
    const kilobytes = (bytesAtStart(bundles, name) / 1000).toFixed(0)
    return [name, kilobytes, sdkOf(bundles, name), cost.toFixed(1), (cost - nothing).toFixed(1)]
  })
  const heads = ['function', 'KB at its start', 'AWS SDK', `${unit}, gross`, `net of ${FLOOR}`]
  return { table: tableOf(heads, rows), goals: [] }
}

/** When a function loads the SDK. */
function sdkOf(bundles: Metafiles, name: string): string {
  const isSdk = (file: string) => file.includes('node_modules/@aws-sdk/')
  if (loadedAtStart(bundles, name).some(isSdk)) return 'at its start'
  const { inputs = {} } = bundles[`functions/${name}.ts`] ?? {}
  return Object.keys(inputs).some(isSdk) ? 'when it needs it' : 'none'
}
