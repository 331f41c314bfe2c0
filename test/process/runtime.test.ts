import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod/mini'
import type { Answer } from '../support/client.ts'
import { judge } from '../support/described.ts'
import { type Callers, callersOf } from '../support/lambda/callers.ts'
import { type Deployment, deploy } from '../support/lambda/deployment.ts'
import type { Expected } from '../support/lambda/events/case.ts'
import { type HttpRequest, httpApiEvent } from '../support/lambda/http-api.ts'
import { realEvents } from '../support/lambda/real-events.ts'
import { type RunningFunctions, runningFunctions } from '../support/lambda/running-functions.ts'
import { hasOpenssl } from '../support/slapd.ts'
import { temporaryFolder } from '../support/stack.ts'

/** Processes of functions at once: one that is judged, and one that it needs. */
const AT_ONCE = 2

const folder = temporaryFolder()
let deployment: Deployment
let running: RunningFunctions
let callers: Callers

const isTlsHere = hasOpenssl()

beforeAll(async () => {
  if (!isTlsHere) return
  deployment = await deploy('prod', folder.path)
  running = runningFunctions((name) => deployment.start(name), AT_ONCE)
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

describe.skipIf(!isTlsHere)('the packaged functions, under AWS’s own runtime client', () => {
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

  it('Q16 report an event that is not theirs as failed', async () => {
    const { isError, payload } = await (await running.get('retryEvent')).invoke({})
    expect(isError).toBe(true)
    expect(JSON.parse(payload)).toMatchObject({ errorType: 'UnexpectedBatchTypeError' })
  })

  it('report what keeps them from starting', async () => {
    const started = deployment.start('authInfo', { SECRETS_PREFIX: '' })
    await expect(started).rejects.toThrow('SECRETS_PREFIX: must be set on a deployed stage')
  })
})

describe('the events of the HTTP API', () => {
  const headers = [
    ['Cookie', 'a=1; b=2'],
    ['cookie', 'c=3'],
    ['X-Many', 'one'],
    ['x-many', 'two'],
  ] as const

  it('have the path decoded and the query as it was sent, repeated headers in one, cookies by themselves', () => {
    const target = '/api/webhooks/events/demo/a%20%C3%BC?q=%20x&q=y&Q=z'
    const event = httpApiEvent({ target, headers })
    expect(event).not.toHaveProperty('headers.cookie')
    expect(event).toMatchObject({
      routeKey: 'GET /api/webhooks/events/{source}/{eventId}',
      rawPath: '/api/webhooks/events/demo/a ü',
      rawQueryString: 'q=%20x&q=y&Q=z',
      queryStringParameters: { q: ' x,y', Q: 'z' },
      pathParameters: { source: 'demo', eventId: 'a ü' },
      cookies: ['a=1', 'b=2', 'c=3'],
      headers: { 'x-many': 'one,two' },
    })
  })

  it.each([
    ['application/json; charset=utf-8', 'ä', false],
    ['text/plain', 'ä', false],
    ['application/x-www-form-urlencoded', 'w6Q=', true],
    ['application/octet-stream', 'w6Q=', true],
  ])('have a body of %s as %s', (type, body, isBase64Encoded) => {
    const request = { method: 'POST', target: '/login', headers: [['content-type', type]] as const, body: 'ä' }
    expect(httpApiEvent(request)).toMatchObject({ body, isBase64Encoded })
  })

  it('go to the fallback where no route is', () => {
    expect(httpApiEvent({ target: '/nothing' })).toMatchObject({ routeKey: '$default' })
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
