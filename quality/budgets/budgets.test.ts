import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { METAFILES, type Metafiles } from '../../infra/build.ts'
import { provider as github } from '../../lib/webhooks/providers/github.ts'
import { provider as stripe } from '../../lib/webhooks/providers/stripe.ts'
import { type EmulatedStore, emulatedStore } from '../../test/support/emulated-store.ts'
import { LAMBDA_ENVIRONMENT, STRIPE_SECRET } from '../../test/support/lambda-environment.ts'
import { bytesAtStart } from '../../test/support/loaded-at-start.ts'
import { unitsOf } from '../../test/support/metered.ts'
import { githubEvent, stripeEvent } from '../../test/support/sent-events.ts'
import { temporaryFolder } from '../../test/support/stack.ts'
import { bearerCall, type Call, stripeCall } from '../bench/cold/calls.ts'
import { constantAws } from '../bench/cold/constant-aws.ts'
import { costOfCalls, hasValgrind, instructions } from '../bench/cold/meter.ts'
import { cases } from '../bench/warm/cases.ts'
import { instructionsPerCall } from '../bench/warm/instructions.ts'
import budgets from '../budgets.json' with { type: 'json' }

/** What a figure may be above its budget. */
const SLACK = 1.03

const bundleOf = (name: string) => resolve(`dist/${name}/index.mjs`)

const folder = temporaryFolder()
let aws: Awaited<ReturnType<typeof constantAws>>
let store: EmulatedStore

beforeAll(async () => {
  aws = await constantAws()
  store = await emulatedStore('dynoxide')
})

afterAll(async () => {
  aws.stop()
  await store.stop()
  folder.remove()
})

/** Million instructions of a process that starts and answers so many calls; without the container. */
function started(name: string, call: Call, calls: number): Promise<number> {
  return instructions.cost({ bundle: bundleOf(name), call, calls, environment: environment() })
}

/** What the first call takes. */
function first(name: string, call: Call): Promise<number> {
  return costOfCalls(instructions, { bundle: bundleOf(name), call, environment: environment() }, [0, 1])
}

const environment = () => ({
  ...LAMBDA_ENVIRONMENT,
  AWS_ENDPOINT_URL: aws.url,
  // The emulated store sets it for this process.
  AWS_ENDPOINT_URL_DYNAMODB: aws.url,
  EVENTS_TOPIC_ARN: '',
  STRIPE_SECRET,
})

/** Million instructions of one call of a warm function. */
async function warm(name: string, index: number): Promise<number> {
  const texts = join(folder.path, 'cases.json')
  writeFileSync(texts, JSON.stringify(cases()))
  const costs = await instructionsPerCall(new Map([[name, bundleOf(name)]]), texts, index)
  return (costs.get(name)?.[0] ?? 0) / 1000
}

const INSTRUCTIONS: Readonly<Record<string, () => Promise<number>>> = {
  'api/admin-secure: its start, and a call with a token': () => started('api/admin-secure', bearerCall(), 1),
  'api/admin-secure: a token that was seen before, warm': () => warm('api/admin-secure', 0),
  'api/admin-secure: a new token, warm': () => warm('api/admin-secure', 1),
  'webhooks/stripe: its start': () => started('webhooks/stripe', stripeCall(), 0),
  'webhooks/stripe: the first webhook after it': () => first('webhooks/stripe', stripeCall()),
}

const UNITS: Readonly<Record<string, () => Promise<number>>> = {
  'a payment of Stripe of 3 KB': () => unitsOf(store, stripe, stripeEvent(3072)),
  'another event of Stripe of 3 KB': () => unitsOf(store, stripe, stripeEvent(3072, { type: 'payment_intent.x' })),
  'an event of GitHub of 3 KB': () => unitsOf(store, github, githubEvent(3072)),
}

function expectWithin(name: string, measured: number, budget: number): void {
  console.log(`${name}: ${measured} of ${budget}`)
  expect(measured, name).toBeLessThanOrEqual(budget * SLACK)
}

describe.skipIf(!hasValgrind())('million instructions', () => {
  it.each(Object.entries(budgets.instructions))('%s: at most %d, and 3 percent more', async (name, budget) => {
    expectWithin(name, (await INSTRUCTIONS[name]?.()) ?? Number.NaN, budget)
  })
})

it.skipIf(hasValgrind())('instructions are not counted, because there is no valgrind', () => {
  console.log('skipped: valgrind is not installed')
})

describe('bytes that a function loads when it starts', () => {
  const bundles: Metafiles = JSON.parse(readFileSync(METAFILES, 'utf8'))
  it.each(Object.entries(budgets.bytes))('%s: at most %d, and 3 percent more', (name, budget) => {
    expectWithin(name, bytesAtStart(bundles, name), budget)
  })
})

describe('write units of an accepted webhook', () => {
  it.each(Object.entries(budgets.units))('%s: at most %d', async (name, budget) => {
    expectWithin(name, (await UNITS[name]?.()) ?? Number.NaN, budget)
  })
})

it('every figure that can be measured has a budget', () => {
  expect([Object.keys(INSTRUCTIONS), Object.keys(UNITS)]).toEqual([
    Object.keys(budgets.instructions),
    Object.keys(budgets.units),
  ])
})
