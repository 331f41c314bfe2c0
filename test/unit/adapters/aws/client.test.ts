import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { sendRequest, signedHeaders, taskCredentials } from '../../../../lib/adapters/aws/client.ts'
import { fixedClock } from '../../../support/fakes/clock.ts'

const MINUTE = 60_000

let answer: { readonly status: number; readonly body: object } = { status: 200, body: {} }
let seen: readonly IncomingHttpHeaders[] = []
const server = createServer((request, response) => {
  seen = [...seen, request.headers]
  response.writeHead(answer.status).end(JSON.stringify(answer.body))
})

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})
beforeEach(() => {
  seen = []
})
afterEach(() => vi.unstubAllEnvs())

const url = () => new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)

const TRACE = 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1;Lineage=1:feedbeef:2'

const send = () =>
  sendRequest(url(), { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '' }, { timeout: 5000 })

it('a request during a call carries the trace of that call', async () => {
  vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'gatehouse-prod-webhookStripe')
  vi.stubEnv('_X_AMZN_TRACE_ID', TRACE)
  await send()
  expect(seen[0]).toMatchObject({ 'x-amzn-trace-id': TRACE, 'content-type': 'text/plain' })
})

it.each([
  ['outside of Lambda', '', TRACE],
  ['in a function before its first call', 'gatehouse-prod-webhookStripe', ''],
])('%s a request carries no trace', async (_, name, trace) => {
  vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', name)
  vi.stubEnv('_X_AMZN_TRACE_ID', trace)
  await send()
  expect(seen[0]).not.toHaveProperty('x-amzn-trace-id')
})

describe('the credentials of a task', () => {
  it.each([
    [404, {}, 'the credentials of the task were answered with 404'],
    [200, { AccessKeyId: 'id' }, 'Invalid input'],
  ])('are missing, and the error says why: %d %j', async (status, body, problem) => {
    answer = { status, body }
    await expect(taskCredentials(url(), fixedClock())()).rejects.toThrow(problem)
  })

  it('are requested once, again five minutes before they expire, and again after a failure', async () => {
    const clock = fixedClock()
    const Expiration = new Date(clock.now().getTime() + 60 * MINUTE).toISOString()
    const good = { status: 200, body: { AccessKeyId: 'id', SecretAccessKey: 'key', Token: 't', Expiration } }
    answer = good
    const credentials = taskCredentials(url(), clock)
    const [, second] = await Promise.all([credentials(), credentials()])
    expect(second).toEqual({ accessKeyId: 'id', secretAccessKey: 'key', sessionToken: 't' })
    clock.advance(55 * MINUTE - 1)
    await credentials()
    expect(seen).toHaveLength(1)
    clock.advance(1)
    answer = { ...good, status: 500 }
    await expect(credentials()).rejects.toThrow('answered with 500')
    answer = good
    await credentials()
    expect(seen).toHaveLength(3)
  })
})

/** Those of AWS's own test suite for signature version 4. */
const CREDENTIALS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
const SCOPE = { region: 'us-east-1', service: 'service', at: new Date('2015-08-30T12:36:00Z') }
const HOST = 'example.amazonaws.com'

describe('a signature for AWS', () => {
  it.each([
    ['post-vanilla', {}, '', 'host;x-amz-date', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
    [
      'post-x-www-form-urlencoded',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'Param1=value1',
      'content-type;host;x-amz-date',
      'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
    ],
  ])('equals that of the test suite: %s', (_, headers, body, names, signature) => {
    expect(signedHeaders({ host: HOST, headers, body }, CREDENTIALS, SCOPE)).toEqual({
      ...headers,
      host: HOST,
      'x-amz-date': '20150830T123600Z',
      authorization: `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=${names}, Signature=${signature}`,
    })
  })

  it.each([
    ['another secret', { ...CREDENTIALS, secretAccessKey: 'other' }, SCOPE],
    ['another region', CREDENTIALS, { ...SCOPE, region: 'eu-central-1' }],
  ])('has a separate key for %s, and the former key for the former one', (_, credentials, scope) => {
    const request = { host: HOST, headers: {}, body: '' }
    const signatureOf = (signed: Readonly<Record<string, string>>) => signed['authorization']?.split('Signature=')[1]
    const first = signatureOf(signedHeaders(request, CREDENTIALS, SCOPE))
    expect(signatureOf(signedHeaders(request, credentials, scope))).not.toBe(first)
    expect(signatureOf(signedHeaders(request, CREDENTIALS, SCOPE))).toBe(first)
  })

  it('covers the token of temporary credentials', () => {
    const signed = signedHeaders({ host: HOST, headers: {}, body: '' }, { ...CREDENTIALS, sessionToken: 't' }, SCOPE)
    expect(signed['x-amz-security-token']).toBe('t')
    expect(signed['authorization']).toContain('SignedHeaders=host;x-amz-date;x-amz-security-token,')
  })
})
