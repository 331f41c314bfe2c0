import { join, resolve } from 'node:path'
import { DIST, freshBuild } from '../../infra/builds.ts'
import { LAMBDA_ENVIRONMENT, STRIPE_SECRET } from '../../test/support/lambda-environment.ts'
import { githubEvent, stripeEvent } from '../../test/support/sent-events.ts'
import { bearerCalls, type Calls, sentByGithub, sentByStripe, written } from './calls.ts'
import { compared, type Row } from './findings.ts'
import { instructions, isInstalled, ofEach, perCall } from './meter.ts'
import { type Bundles, bundledPeers } from './peers.ts'
import { constantAws } from './servers.ts'

/** Lambda sets it for each call (AWS X-Ray Developer Guide, "Tracing header"). */
const TRACED = { _X_AMZN_TRACE_ID: 'Root=1-65a5f0d0-0123456789abcdef01234567;Sampled=0' }

/** A fresh process that loads a function and answers one call: ours, and what else one would write; nothing without valgrind. */
export async function cold(folder: string): Promise<readonly Row[]> {
  if (!isInstalled('valgrind')) return []
  await freshBuild(DIST)
  const aws = await constantAws()
  const environment = { ...LAMBDA_ENVIRONMENT, ...TRACED, STRIPE_SECRET, AWS_ENDPOINT_URL: aws.url }
  const rows: Row[] = []
  try {
    const apis = await bundledPeers(folder)
    const webhooks = new Map([ours('webhooks/stripe'), ...(await bundledPeers(folder, 'cold'))])
    const stripe = () => sentByStripe(stripeEvent(2048))
    const works: readonly Work[] = [
      [
        'a bearer token',
        new Map([ours('api/admin-secure'), ...apis]),
        () => bearerCalls()['200, the token seen before'] as Calls,
      ],
      ['a webhook with its first write', webhooks, stripe],
      ['the first webhook after init', webhooks, stripe],
      [
        'the first webhook of GitHub after init',
        new Map([ours('webhooks/github')]),
        () => sentByGithub(githubEvent(2048)),
      ],
    ]
    for (const [what, bundles, next] of works) {
      const costs = await ofEach(bundles, (bundle, name) => {
        // Signed only now: a signature of Stripe is good for five minutes.
        const start = { bundle, calls: written(join(folder, `${name}.json`), next()), environment }
        return what.endsWith('after init') ? perCall(start, [0, 1]) : instructions(start, 1)
      })
      rows.push(...compared(what, 'million instructions', costs))
    }
  } finally {
    aws.stop()
  }
  return rows
}

type Work = readonly [what: string, bundles: Bundles, next: () => Calls]

function ours(name: string): readonly [string, string] {
  return ['gatehouse', resolve(`dist/${name}/index.mjs`)]
}
