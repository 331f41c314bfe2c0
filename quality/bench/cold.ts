import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DIST, freshBuild } from '../../infra/builds.ts'
import { LAMBDA_ENVIRONMENT, STRIPE_SECRET } from '../../test/support/lambda-environment.ts'
import { githubEvent, stripeEvent } from '../../test/support/sent-events.ts'
import { bearerCalls, type Calls, callsOf, signedByGithub, signedByStripe, written } from './calls.ts'
import { constantAws } from './constant-aws.ts'
import { compared, type Findings, judged, type Row } from './findings.ts'
import { type Environment, hasValgrind, instructions, ofEach, perCall, type Start } from './meter.ts'
import { type Bundles, bundledPeers } from './peers.ts'

const UNIT = 'million instructions'

/** Lambda sets it for each call (AWS X-Ray Developer Guide, "Tracing header"). */
const TRACED = { _X_AMZN_TRACE_ID: 'Root=1-65a5f0d0-0123456789abcdef01234567;Sampled=0' }

/** A fresh process that loads a function and answers one call: ours, and what else one would write; nothing without valgrind. */
export async function cold(): Promise<Findings | undefined> {
  if (!hasValgrind()) return undefined
  await freshBuild(DIST)
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-'))
  const aws = await constantAws()
  const environment = { ...LAMBDA_ENVIRONMENT, ...TRACED, STRIPE_SECRET, AWS_ENDPOINT_URL: aws.url }
  try {
    const apis = await bundledPeers(folder)
    const floor = new Map([['floor', apis.get('floor') ?? '']])
    const webhooks = new Map([['gatehouse', ours('webhooks/stripe')], ...(await bundledPeers(folder, 'cold'))])
    const token = () => bearerCalls()['200, the token seen before'] as Calls
    const stripe = () => callsOf(signedByStripe(stripeEvent(2048)))
    const github = () => callsOf(signedByGithub(githubEvent(2048)))
    const first = (start: Start) => instructions(start, 1)
    const afterInit = (start: Start) => perCall(start, [0, 1])
    const all = { folder, environment }
    return judged([
      ...(await measured('a bearer token', new Map([['gatehouse', ours('api/admin-secure')], ...apis]), {
        ...all,
        next: token,
        take: first,
        floor: 'floor',
      })),
      ...(await measured('a webhook with its first write', new Map([...floor, ...webhooks]), {
        ...all,
        next: stripe,
        take: first,
        floor: 'floor',
      })),
      ...(await measured('the first webhook after init', webhooks, { ...all, next: stripe, take: afterInit })),
      ...(await measured('the first webhook of GitHub after init', new Map([['gatehouse', ours('webhooks/github')]]), {
        ...all,
        next: github,
        take: afterInit,
      })),
    ])
  } finally {
    aws.stop()
    rmSync(folder, { recursive: true })
  }
}

function ours(name: string): string {
  return resolve(`dist/${name}/index.mjs`)
}

interface Way {
  readonly folder: string
  readonly next: () => Calls
  readonly environment: Environment
  readonly take: (start: Start) => Promise<number>
  readonly floor?: string
}

async function measured(
  what: string,
  bundles: Bundles,
  { folder, next, take, floor, environment }: Way,
): Promise<readonly Row[]> {
  const costs = new Map<string, readonly number[]>()
  await ofEach(bundles, async ([name, bundle]) => {
    // Signed only now: a signature of Stripe is good for five minutes.
    const calls = written(join(folder, `${name}.json`), next())
    costs.set(name, [await take({ bundle, calls, environment })])
  })
  return compared(what, UNIT, costs, floor)
}
