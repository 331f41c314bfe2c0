import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { METAFILES, type Metafiles } from '../../infra/build.ts'
import { freshBundles } from '../../localstack/bundles.ts'
import { COLD_CALLS } from '../../test/support/cold-calls.ts'
import { LAMBDA_ENVIRONMENT, STRIPE_SECRET } from '../../test/support/lambda-environment.ts'
import { bytesAtStart, loadedAtStart } from '../../test/support/loaded-at-start.ts'
import { bearerCall, type Call, paymentCall, stripeCall } from './cold/calls.ts'
import { constantAws } from './cold/constant-aws.ts'
import { type Meter, meterHere } from './cold/meter.ts'
import { type Comparison, comparison } from './comparison.ts'
import { effort } from './effort.ts'
import { type Findings, together } from './findings.ts'
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
  const measure = measureWith(meter, folder, { ...LAMBDA_ENVIRONMENT, STRIPE_SECRET, AWS_ENDPOINT_URL: aws.url })
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
      }),
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

function measureWith(meter: Meter, folder: string, environment: Readonly<Record<string, string>>): Measure {
  return async (subjects) => {
    const costs = new Map<string, number[]>(subjects.map(({ name }) => [name, []]))
    const starts = subjects.map(({ name, bundle, call }, index) => {
      const file = join(folder, `call-${index}.json`)
      writeFileSync(file, JSON.stringify({ ...call, slowdown: meter.slowdown }))
      return async () => costs.get(name)?.push(await meter.cost({ bundle, call: file, environment }))
    })
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
    const cost = median(costs.get(name) ?? []) - nothing
    const cells = [name, (bytesAtStart(bundles, name) / 1000).toFixed(0), sdkOf(bundles, name), cost.toFixed(1)]
    return `| ${cells.join(' | ')} |`
  })
  const head = `| function | KB at its start | AWS SDK | ${unit}, net of ${FLOOR} |`
  return { table: [head, '|---|--:|---|--:|', ...rows].join('\n'), goals: [], ratios: [] }
}

/** When a function loads the SDK. */
function sdkOf(bundles: Metafiles, name: string): string {
  const isSdk = (file: string) => file.includes('node_modules/@aws-sdk/')
  if (loadedAtStart(bundles, name).some(isSdk)) return 'at its start'
  const { inputs = {} } = bundles[`functions/${name}.ts`] ?? {}
  return Object.keys(inputs).some(isSdk) ? 'when it needs it' : 'none'
}
