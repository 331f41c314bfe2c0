import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest'
import { coldEndpoint } from '../support/cold-function.ts'
import { type CountingProxy, countingProxy } from '../support/counting-proxy.ts'
import { DEMO_SECRET, LAMBDA_ENVIRONMENT } from '../support/lambda-environment.ts'
import { type Invoke, lambdaEvent } from '../support/lambda-event.ts'

const ready = inject('ready')
let dynamodb: CountingProxy
let others: CountingProxy
let provider: Invoke
let challenge: Invoke

beforeAll(async () => {
  dynamodb = await countingProxy(ready.dynamodb)
  others = await countingProxy(ready.sqs)
  const environment = {
    ...LAMBDA_ENVIRONMENT,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
    AWS_ENDPOINT_URL_SQS: others.url,
    WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: '0',
  }
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  provider = await coldEndpoint('webhooks/provider')
  challenge = await coldEndpoint('webhooks/challenge')
  // The start of a function that takes webhooks.
  expect(dynamodb.take()).toEqual(['UpdateItem'])
})

afterAll(async () => {
  await dynamodb.close()
  await others.close()
})

const mac = (text: string, secret = DEMO_SECRET) => createHmac('sha256', secret).update(text).digest('hex')

/** Sources and results that need no note for ten minutes. */
const noted = new Set<string>()

/** What a call costs, without the notes of the first accepted and the first refused call of a source. */
async function cost(answer: ReturnType<Invoke>, source?: string) {
  const { statusCode } = await answer
  const note = `${source} ${statusCode}`
  const isFirst = source !== undefined && !noted.has(note)
  noted.add(note)
  return { statusCode, dynamodb: dynamodb.take().length - Number(isFirst), others: others.take() }
}

function postDemo(body: string, secret?: string) {
  const headers = { 'x-signature': mac(body, secret) }
  return cost(provider(lambdaEvent('POST', '/webhooks/demo', { body, headers })), 'demo')
}

it('an event of any provider: one request, one for its duplicate and one for a refused call', async () => {
  const body = JSON.stringify({ eventId: randomUUID() })
  expect(await postDemo(body)).toEqual({ statusCode: 200, dynamodb: 1, others: [] })
  expect(await postDemo(body)).toEqual({ statusCode: 200, dynamodb: 1, others: [] })
  expect(await postDemo(body, 'another secret')).toEqual({ statusCode: 401, dynamodb: 1, others: [] })
  expect(await postDemo(body, 'a third secret')).toEqual({ statusCode: 401, dynamodb: 0, others: [] })
  expect(await postDemo('{')).toEqual({ statusCode: 200, dynamodb: 1, others: [] })
})

it('another content under a signed id: two requests, and one during the minute after it', async () => {
  const eventId = randomUUID()
  const costs = []
  for (const text of ['first', 'second', 'third']) costs.push(await postDemo(JSON.stringify({ eventId, text })))
  const [duplicate, noted] = [
    { statusCode: 200, dynamodb: 1, others: [] },
    { statusCode: 200, dynamodb: 2, others: [] },
  ]
  expect(costs).toEqual([duplicate, noted, duplicate])
})

it('a similar event: two requests; its exact copy one', async () => {
  const body = JSON.stringify({ list_folder: { accounts: [`dbid:${randomUUID()}`] } })
  const postDropbox = () =>
    cost(
      provider(lambdaEvent('POST', '/webhooks/dropbox', { body, headers: { 'x-dropbox-signature': mac(body) } })),
      'dropbox',
    )
  expect(await postDropbox()).toEqual({ statusCode: 200, dynamodb: 1, others: [] })
  for (const _time of [1, 2]) expect(await postDropbox()).toEqual({ statusCode: 200, dynamodb: 2, others: [] })

  const unsigned = JSON.stringify({ id: randomUUID() })
  const postShopify = (id: string) => {
    const hmac = createHmac('sha256', DEMO_SECRET).update(unsigned).digest('base64')
    const headers = { 'x-shopify-hmac-sha256': hmac, 'x-shopify-webhook-id': id, 'x-shopify-topic': 'orders/paid' }
    return cost(provider(lambdaEvent('POST', '/webhooks/shopify', { body: unsigned, headers })), 'shopify')
  }
  const [one, other] = [randomUUID(), randomUUID()]
  expect(await postShopify(one)).toEqual({ statusCode: 200, dynamodb: 1, others: [] })
  expect(await postShopify(one)).toEqual({ statusCode: 200, dynamodb: 1, others: [] })
  expect(await postShopify(other)).toEqual({ statusCode: 200, dynamodb: 2, others: [] })
  expect(await postShopify(other)).toEqual({ statusCode: 200, dynamodb: 1, others: [] })
})

it('a handshake: none', async () => {
  const body = '{"type":"url_verification","challenge":"c"}'
  const time = String(Math.floor(Date.now() / 1000))
  const headers = { 'x-slack-signature': `v0=${mac(`v0:${time}:${body}`)}`, 'x-slack-request-timestamp': time }
  const none = { statusCode: 200, dynamodb: 0, others: [] }
  expect(await cost(provider(lambdaEvent('POST', '/webhooks/slack', { body, headers })))).toEqual(none)
  const event = { ...lambdaEvent('GET', '/webhooks/dropbox'), rawQueryString: 'challenge=c' }
  expect(await cost(challenge(event))).toEqual(none)
})

it('W41 500 refused calls under 250 invented names: one request for each ten seconds', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const statuses = new Set<number>()
  for (let call = 0; call < 500; call++) {
    const { statusCode } = await provider(lambdaEvent('POST', `/webhooks/made-up-${call % 250}`, { body: '{}' }))
    statuses.add(statusCode)
    // 49.9 seconds in all.
    vi.advanceTimersByTime(100)
  }
  vi.useRealTimers()
  expect(statuses).toEqual(new Set([401]))
  expect(dynamodb.take()).toEqual(Array(5).fill('UpdateItem'))
})
