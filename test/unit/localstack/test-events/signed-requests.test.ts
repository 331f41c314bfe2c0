import { Buffer } from 'node:buffer'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { providerOf } from '../../../../lib/webhooks/providers/index.ts'
import { verify } from '../../../../lib/webhooks/verify.ts'
import { localRun } from '../../../../localstack/local-run.ts'
import { SENDERS } from '../../../../localstack/senders/table.ts'
import { keptSecrets } from '../../../../localstack/stack/secrets.ts'
import { offeredSenders, signedRequests, testEventFor } from '../../../../localstack/test-events/test-events.ts'
import { FIRST_SECRETS } from '../../../support/first-secrets.ts'
import { temporaryFolder } from '../../../support/stack.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

/** As the gateway of a run sees it. */
writeFileSync(join(folder.path, 'secrets.json'), FIRST_SECRETS)
const { WEBHOOK_SECRETS } = keptSecrets(join(folder.path, 'secrets.json'))
const environment = { DATA_DIR: folder.path, WEBHOOK_SECRETS, BASE_URL: 'https://hooks.example.com' }
const run = localRun(environment)

describe('the senders that a run offers', () => {
  const namesFor = (changes: Readonly<Record<string, string>>) =>
    offeredSenders(localRun({ ...environment, ...changes })).map(({ name }) => name)

  it('are all existing ones, with their events', () => {
    expect(offeredSenders(run).map(({ name }) => name)).toEqual(Object.keys(SENDERS).sort())
    expect(offeredSenders(run).filter(({ failing }) => failing.length > 0)).toEqual([
      { name: 'payment', events: SENDERS.payment.events, failing: ['COMPLETED', 'FAILED', 'REFUNDED'] },
      {
        name: 'stripe',
        events: SENDERS.stripe.events,
        failing: ['payment_intent.succeeded', 'payment_intent.payment_failed'],
      },
    ])
  })

  it('are only those with a common secret', () => {
    expect(namesFor({ WEBHOOK_SECRETS: '{"slack":"a","acme":"b"}' })).toEqual(['slack'])
  })

  it('exclude those whose private keys are not stored', () => {
    const kept = namesFor({ DATA_DIR: 'memory' })
    expect(Object.keys(SENDERS).filter((name) => !kept.includes(name))).toEqual([
      'discord',
      'google-pubsub',
      'paypal',
      'plaid',
      'sendgrid',
      'sns',
    ])
  })
})

describe('a signed request', () => {
  it.each(Object.entries(SENDERS))('is accepted as a webhook of %s', async (source, { events }) => {
    const [event] = events
    const [request, ...more] = await signedRequests({ source, event, fails: false }, run)
    expect(more).toEqual([])
    expect(request).toMatchObject({ source, expected: 200, method: 'POST', path: `/webhooks/${source}` })
    const secret = JSON.parse(WEBHOOK_SECRETS)[source]
    const call = {
      method: 'POST',
      url: `https://hooks.example.com/webhooks/${source}`,
      headers: request?.headers ?? {},
      body: Buffer.from(request?.body ?? ''),
    }
    const asked = { scheme: providerOf(source).scheme, secrets: [{ value: secret }], now: new Date() }
    expect(verify(call, asked)).toMatchObject({ ok: true })
  })

  it('has no id if the service generates one for each call', async () => {
    const nameless = await Promise.all(
      Object.entries(SENDERS).map(async ([source, { events }]) => {
        const [request] = await signedRequests({ source, event: events[0], fails: false }, run)
        return request?.eventId === null ? [source] : []
      }),
    )
    expect(nameless.flat()).toEqual(['dropbox', 'microsoft-graph'])
  })

  it('of Stripe is acknowledged even if it is supposed to fail', async () => {
    const order = { source: 'stripe', event: 'payment_intent.succeeded', fails: true }
    expect((await signedRequests(order, run)).map(({ expected }) => expected)).toEqual([200, 200])
  })

  it('consists of two webhooks for a failure: about one transaction of two orders', async () => {
    const requests = await signedRequests({ source: 'payment', event: 'COMPLETED', fails: true }, run)
    const [first, second] = requests.map(({ body }) => JSON.parse(body))
    expect(requests.map(({ expected }) => expected)).toEqual([200, 500])
    expect(requests.map(({ eventId }) => eventId)).toEqual([first.eventId, second.eventId])
    expect(second.transactionId).toBe(first.transactionId)
    expect(second.orderId).not.toBe(first.orderId)
  })
})

describe('the order of a test event', () => {
  it('succeeds by default', () => {
    expect(testEventFor(run).parse({ source: 'github', event: 'push' })).toEqual({
      source: 'github',
      event: 'push',
      fails: false,
    })
  })

  it.each([
    ['an unknown sender', { source: 'acme', event: 'push' }, 'event'],
    ['a name that every object inherits', { source: '__proto__', event: 'toString' }, 'event'],
    ['the failure of an event that cannot fail', { source: 'payment', event: 'PENDING', fails: true }, 'fails'],
    ['something else', { source: 'github', event: 'push', secret: 'a' }, undefined],
  ])('is refused for %s', (_, order, field) => {
    const [issue] = testEventFor(run).safeParse(order).error?.issues ?? []
    expect(issue?.path[0]).toBe(field)
  })

  it('is refused for a sender whose private key is not stored', () => {
    const order = { source: 'discord', event: SENDERS.discord.events[0] }
    const forgetful = localRun({ ...environment, DATA_DIR: 'memory' })
    expect(testEventFor(run).safeParse(order).success).toBe(true)
    expect(testEventFor(forgetful).safeParse(order).error?.issues[0]?.path).toEqual(['event'])
  })
})
