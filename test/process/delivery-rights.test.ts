import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DELIVERY_SCAN } from '../../infra/names.ts'
import { byStage } from '../../lib/config.ts'
import { destinationsOf } from '../../lib/deliver/configured/destinations.ts'
import type { Delivery } from '../../lib/deliver/delivery.ts'
import { grantedWith, notGranted, unusedBy } from '../support/calls/granted.ts'
import { type RecordedCall, recordedIn } from '../support/calls/recording.ts'
import { BUS, type DeliveringCloud, LEDGER, startDeliveringCloud } from '../support/delivering/cloud.ts'
import { type DeliveringFunctions, startDelivering } from '../support/delivering/functions.ts'
import { liveThroughDeliveries } from '../support/delivering/live.ts'
import { LAMBDA_ENVIRONMENT } from '../support/lambda-environment.ts'
import { temporaryFolder } from '../support/stack.ts'

const from = { '*': ['**'] }

/** It gets news, nobody is there, and it makes some. */
const TOLD = 'dead-end'

/** One destination of each kind. */
const configOf = (url: string) => ({
  destinations: {
    'crm-eu': { to: 'http', url: byStage({ local: url }), from },
    ledger: { to: 'sqs', queue: LEDGER, from },
    bus: { to: 'eventbridge', bus: BUS, from },
    [TOLD]: {
      to: 'http',
      url: byStage({ local: 'http://127.0.0.1:1024' }),
      from: { stripe: ['**'], gatehouse: ['**'] },
    },
  } as const,
})

const ALL = Object.keys(configOf('').destinations)
const NAMES = ALL.filter((name) => name !== TOLD)
const SOURCES = {
  deliver: 'functions/jobs/deliver.ts',
  [DELIVERY_SCAN]: 'functions/jobs/delivery-scan.ts',
  retryScan: 'functions/jobs/retry-scan.ts',
  replayStep: 'functions/jobs/replay-step.ts',
  webhookStripe: 'functions/webhooks/stripe.ts',
  destinationDisable: 'functions/api/destination-disable.ts',
  destinationEnable: 'functions/api/destination-enable.ts',
  webhookEventDeliveryRetry: 'functions/api/webhook-event-delivery-retry.ts',
}

const granted = grantedWith(destinationsOf(configOf('http://127.0.0.1'), 'local'))

const folder = temporaryFolder()
const file = join(folder.path, 'calls.jsonl')
let cloud: DeliveringCloud
let functions: DeliveringFunctions
let ended: readonly Delivery[]
let calls: readonly RecordedCall[]

beforeAll(async () => {
  cloud = await startDeliveringCloud(ALL)
  const { JWT_KEYS, WEBHOOK_SECRETS, AWS_ENDPOINT_URL: _nowhere, ...settings } = LAMBDA_ENVIRONMENT
  const signing = `whsec_${randomBytes(24).toString('base64')}`
  cloud.keep('tokens', { JWT_KEYS })
  cloud.keep('webhooks', { WEBHOOK_SECRETS })
  cloud.keep('deliveries', { DELIVERY_SECRETS: JSON.stringify({ 'crm-eu': signing, [TOLD]: `${signing}AAAA` }) })
  functions = await startDelivering(SOURCES, configOf(cloud.sink), {
    folder: folder.path,
    calls: file,
    environment: { ...settings, ...cloud.environment },
  })
  ended = await liveThroughDeliveries(functions, NAMES, cloud.open, TOLD)
  calls = recordedIn(file)
})

afterAll(async () => {
  await functions?.stop()
  await cloud?.stop()
  folder.remove()
})

it('each destination receives the accepted event, at the second try', () => {
  const lives = ended
    .filter(({ destination }) => destination !== TOLD)
    .map(({ destination, history }) => [destination, history.map(({ status }) => status)])
  const life = ['PENDING', 'PENDING', 'DELIVERED']
  expect(Object.fromEntries(lives)).toEqual(Object.fromEntries(NAMES.map((name) => [name, life])))
})

/**
 * What a function asks for only because of deliveries; of those that only serve them, everything. The scan tells of a
 * delivery that it gives up, for which its queue has to refuse a hint for good: no emulator does.
 */
function isOfDeliveries(name: string, right: string): boolean {
  if (name === DELIVERY_SCAN) return !right.endsWith('on MessagesTable')
  return name === 'deliver' || /on Deliver|:GetItem on EventsTable/.test(right)
}

describe.each(Object.keys(SOURCES))('%s', (name) => {
  const held = granted.functions[name] ?? []
  const wanted = unusedBy(name, [], granted).filter((right) => isOfDeliveries(name, right))

  it('K11 uses no right that it lacks', () => {
    expect(notGranted(calls, granted).filter((right) => right.startsWith(`${name}:`))).toEqual([])
  })

  it('K11 uses every right that it has', () => {
    expect(unusedBy(name, calls, granted).filter((right) => wanted.includes(right))).toEqual([])
  })

  it('has no right twice', () => {
    const rights = held.flatMap((grant) =>
      Object.entries(grant).flatMap(([place, actions = []]) => actions.map((action) => `${action} on ${place}`)),
    )
    expect(rights.filter((right, index) => rights.indexOf(right) < index && isOfDeliveries(name, right))).toEqual([])
  })
})
