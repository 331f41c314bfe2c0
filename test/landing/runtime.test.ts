import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod/mini'
import { stageDestinations } from '../../infra/deliver/stage.ts'
import { dynamoEventStore } from '../../lib/adapters/dynamodb/event-store.ts'
import { dynamoReplays } from '../../lib/adapters/dynamodb/replays.ts'
import { documentClient } from '../../lib/adapters/dynamodb/table.ts'
import type { WebhookEvent } from '../../lib/webhooks/event.ts'
import { grantedWith, notGranted, unusedByFunctions } from '../support/calls/granted.ts'
import { recordedIn, recordingTo } from '../support/calls/recording.ts'
import type { Answer } from '../support/client.ts'
import { judge } from '../support/described.ts'
import { failedEvent, PAYMENT } from '../support/fakes/webhooks.ts'
import { type Callers, callersOf } from '../support/lambda/callers.ts'
import { type Circle, startCircle } from '../support/lambda/circle.ts'
import { type Deployment, deploy } from '../support/lambda/deployment.ts'
import type { Expected } from '../support/lambda/events/case.ts'
import type { HttpRequest } from '../support/lambda/http-api.ts'
import { realEvents } from '../support/lambda/real-events.ts'
import { type RunningFunctions, runningFunctions } from '../support/lambda/running-functions.ts'
import { hasOpenssl } from '../support/slapd.ts'
import { temporaryFolder } from '../support/stack.ts'

/** Processes of functions at once: one that is judged, and one that it needs. */
const AT_ONCE = 2

const folder = temporaryFolder()
const calls = join(folder.path, 'calls.jsonl')
const started = new Set<string>()
let deployment: Deployment
let running: RunningFunctions
let callers: Callers

const isTlsHere = hasOpenssl()

beforeAll(async () => {
  if (!isTlsHere) return
  deployment = await deploy('prod', folder.path)
  running = runningFunctions((name) => {
    started.add(name)
    return deployment.start(name, recordingTo(calls))
  }, AT_ONCE)
  callers = callersOf(deployment, running)
}, 240_000)

afterAll(async () => {
  await running?.stop()
  await deployment?.stop()
  folder.remove()
})

/** The table is made before there is anything to call. */
const { requests, jobs } = realEvents({
  call: (...given) => callers.call(...given),
  bearer: (...given) => callers.bearer(...given),
  login: () => callers.login(),
  comeBackFromGithub: () => callers.comeBackFromGithub(),
  webhook: (...given) => callers.webhook(...given),
  failedEvent: () => callers.failedEvent(),
  newReplay: () => callers.newReplay(),
  receive: (...given) => callers.receive(...given),
})

const functions = Object.keys(parse(readFileSync('serverless.yml', 'utf8'), { logLevel: 'silent' }).functions)

describe.skipIf(!isTlsHere)('the packaged functions, under Lambda’s runtime API', () => {
  it('are all here', () => {
    expect([...Object.keys(requests), ...Object.keys(jobs)].sort()).toEqual(functions.toSorted())
  })

  describe.each(Object.entries(requests))('%s', (name, cases) => {
    it.each(cases)('answers $what', async ({ request, answer }) => {
      const given = await request()
      expectAnswer(given, await callers.call(name, given), answer)
    })
  })

  describe.each(Object.entries(jobs))('%s', (name, cases) => {
    it.each(cases)('handles $what', async ({ event, result }) => {
      const given = await event()
      const { isError, payload } = await (await running.get(name)).invoke(given)
      expect(isError, payload).toBe(false)
      expect(z.safeParse(result, JSON.parse(payload)).error).toBeUndefined()
    })
  })

  it('K11 ask AWS only for granted actions', async () => {
    expect(notGranted(recordedIn(calls), grantedWith(await stageDestinations('prod')))).toEqual([])
  })

  it('K11 read every secret that is granted', async ({ skip }) => {
    skip(started.size < functions.length, 'not every function was called')
    const granted = grantedWith(await stageDestinations('prod'))
    expect(unusedByFunctions(recordedIn(calls), 'secrets', granted)).toEqual({ shared: [], own: [] })
  })

  it('Q16 report a foreign event as failed', async () => {
    const { isError, payload } = await (await running.get('retryEvent')).invoke({})
    expect(isError).toBe(true)
    expect(JSON.parse(payload)).toMatchObject({ errorType: 'UnexpectedBatchTypeError' })
  })

  it('report the cause when they cannot start', async () => {
    const started = deployment.start('authInfo', { SECRETS_PREFIX: '' })
    await expect(started).rejects.toThrow('SECRETS_PREFIX: must be set on a deployed stage')
  })
})

describe.skipIf(!isTlsHere)('a function that sends to the queue that it reads', () => {
  const EVENTS = 'gatehouse-prod-events'
  let circle: Circle

  beforeAll(async () => {
    circle = await startCircle()
  })
  afterAll(() => circle.close())

  /** Stores an event that failed, as the payment endpoint would have. */
  async function store(eventId: string, changes: Partial<WebhookEvent>): Promise<void> {
    const body = { ...PAYMENT, eventId, transactionId: eventId }
    const payload = Buffer.from(JSON.stringify(body))
    const payloadSha256 = createHash('sha256').update(payload).digest('hex')
    const event = failedEvent({ source: 'payment', eventId, payload, payloadSha256, ...changes })
    await dynamoEventStore(documentClient(), { events: EVENTS, effects: [] }).insert(event, {})
  }

  /** The function with that queue, and what the template lets Lambda do to it. */
  async function start(name: string, others: Readonly<Record<string, string>>, timeoutSeconds?: number) {
    const function_ = await deployment.start(name, { AWS_ENDPOINT_URL_SQS: circle.url, ...others }, timeoutSeconds)
    return { function_, recursiveLoop: deployment.recursiveLoopOf(name) }
  }

  it('looks more often than 16 times whether the event of a replay has been run', async () => {
    const replayId = `replay-${randomUUID()}`
    const leaseUntil = new Date(Date.now() + 24 * 60 * 60_000)
    const taken = { status: 'PROCESSING', owner: 'another', leaseUntil, nextRetryAt: leaseUntil, replayId } as const
    await store(`${replayId}-taken`, taken)
    const progress = { state: 'RUNNING', matched: 1, done: 0, failed: 0, isListed: true } as const
    const replays = dynamoReplays(documentClient(), 'gatehouse-prod-replays')
    const order = { replayId, filter: {}, ratePerSecond: 1000, user: 'ada', acceptedAt: new Date(), step: 0 }
    await replays.create({ ...order, ...progress })
    const { function_, recursiveLoop } = await start('replayStep', {})
    circle.send({ replayId, step: 0 })
    const course = await circle.run(function_, recursiveLoop)
    await function_.stop()
    expect(course).toEqual({ invocations: 36, isDropped: false })
    expect(await replays.find(replayId)).toMatchObject({ state: 'RUNNING', step: 36 })
  })

  describe('with a retry that is due in a day', () => {
    const DAY = { WEBHOOK_RETRY_DELAY_MINUTES: '1440' }
    const eventId = `tomorrow-${randomUUID()}`

    beforeAll(() => store(eventId, { nextRetryAt: new Date(Date.now() + 24 * 60 * 60_000) }))

    it('sends the message as often as the delay needs, with an upper limit', async () => {
      const { function_, recursiveLoop } = await start('retryEvent', DAY)
      circle.send({ source: 'payment', eventId, n: 1 })
      const course = await circle.run(function_, recursiveLoop)
      await function_.stop()
      // 96 waits of 15 minutes, and five to spare.
      expect(course).toEqual({ invocations: 96 + 5 + 1, isDropped: false })
    })
  })
})

function expectAnswer({ method = 'GET', target }: HttpRequest, answer: Answer, expected: Expected): void {
  expect(answer.status, answer.text).toBe(expected.status)
  expect(judge(method, target, answer), answer.text).toEqual([])
  if (expected.json) expect(answer.json).toMatchObject(expected.json)
  if (expected.text) expect(answer.text).toMatch(expected.text)
  for (const [name, pattern] of Object.entries(expected.headers ?? {})) {
    expect(String(answer.headers[name]), name).toMatch(pattern)
  }
}
