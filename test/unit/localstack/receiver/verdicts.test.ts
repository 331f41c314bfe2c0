import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import Stripe from 'stripe'
import { afterAll, describe, expect, it } from 'vitest'
import { KNOWN } from '../../../../lib/webhooks/sources/catalog.ts'
import type { Verdict } from '../../../../localstack/lab/verdicts.ts'
import { type Bench, FAULTS } from '../../../../localstack/receiver/faults.ts'
import { countAt, receiverWithin } from '../../../../localstack/receiver/receiver.ts'
import { trial } from '../../../../localstack/receiver/trial.ts'
import { knownSender } from '../../../../localstack/senders/table.ts'

/** The example, which has no types. */
const { receiver } = createRequire(import.meta.url)('../../../../examples/receiver/receiver.mjs')

const SECRETS = ['the secret in use', 'the secret that follows']
const FORMER = 'the secret before'

const running: Server[] = []
afterAll(() => {
  for (const server of running) server.close().closeAllConnections()
})

/** The address of the example with a check left out. */
function example(omit?: string): Promise<string> {
  return addressOf(receiver({ secrets: SECRETS, former: FORMER, omit }))
}

async function addressOf(server: Server): Promise<string> {
  running.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

function benchOf(url: string): Bench {
  const [credentials, next, former] = [...SECRETS, FORMER].map((secret) => ({ secret }))
  if (!credentials) throw new Error('no secret')
  const sender = knownSender('stripe', KNOWN)
  return { name: 'stripe', sender, sources: KNOWN, source: 'docs.stripe.com', url, credentials, next, former }
}

async function tried(omit?: string, isSeen = true) {
  const url = await example(omit)
  const effects = isSeen ? () => countAt(new URL('/effects', url), 10) : undefined
  return trial(benchOf(url), { receiver: receiverWithin(10), effects })
}

const failed = (verdicts: readonly Verdict[]) => verdicts.filter(({ ok }) => !ok).map(({ name }) => name)
const NAMES = Object.keys(FAULTS)

describe.concurrent('the example receiver', { timeout: 300_000 }, () => {
  it('passes every fault', async () => {
    const { verdicts, leftOut } = await tried()
    expect(verdicts.map(({ name }) => name)).toEqual(NAMES)
    expect([failed(verdicts), leftOut]).toEqual([[], {}])
  })

  it.each(NAMES.slice(1))('fails %s, and nothing else, with the check for it left out', async (name) => {
    const { verdicts } = await tried(name)
    expect(failed(verdicts)).toEqual([name])
    expect(verdicts.find((one) => one.name === name)).toMatchObject({
      did: expect.stringMatching(/^Its answers: .+\.$/),
      should: expect.stringMatching(/^It should answer [24]xx/),
      why: expect.stringMatching(/^(?:RFC \d{4}|Standard Webhooks|docs\.stripe\.com|what is refused)/),
    })
  })

  it('fails everything if it does not take the good call, which is the only one that it gets', async () => {
    const { verdicts } = await tried('good')
    expect(failed(verdicts)).toEqual(NAMES)
    expect(verdicts[0]?.did).toBe('Its answers: 302; effects: 1.')
    for (const { did } of verdicts.slice(1)) expect(did).toMatch(/^Not tried/)
  })

  it.each(NAMES)('does not get along with a wrong rule, so that it is seen: %s', async (name) => {
    const [right, url] = [FAULTS[name], await example()]
    const planted = right && ({ ...right, should: right.should === 'take' ? 'refuse' : 'take' } as const)
    const { good } = FAULTS
    if (!good || !planted) throw new Error(`no ${name}`)
    const tried = trial(benchOf(url), { receiver: receiverWithin(10) }, { good, [name]: planted })
    const { verdicts, leftOut } = await tried.catch(({ message }) => ({ verdicts: [], leftOut: { good: message } }))
    expect([...failed(verdicts), ...Object.keys(leftOut)]).toContain(name)
  })

  it.each(['repeated', 'two-at-once'])('is not accused of what is not seen from outside: %s', async (name) => {
    const { verdicts } = await tried(name, false)
    expect(failed(verdicts)).toEqual([])
    expect(verdicts.find((one) => one.name === name)?.did).toContain('is not seen without --effects')
  })
})

/** As docs.stripe.com/webhooks has it, with the ids that were seen. */
function officialReceiver(): Server {
  const { webhooks } = new Stripe('sk_test')
  const seen = new Set<string>()
  return createServer(async (request, response) => {
    if (request.url === '/effects') return response.end(`${seen.size}`)
    const signature = request.headers['stripe-signature'] ?? ''
    try {
      seen.add(webhooks.constructEvent(await buffer(request), signature, SECRETS[0] ?? '').id)
      return response.end()
    } catch {
      return response.writeHead(400).end()
    }
  })
}

it("Stripe's own library passes every fault but that of a second secret, which it does not know", {
  timeout: 120_000,
}, async () => {
  const url = await addressOf(officialReceiver())
  const effects = () => countAt(new URL('/effects', url), 10)
  const { verdicts } = await trial(benchOf(url), { receiver: receiverWithin(10), effects })
  expect(failed(verdicts)).toEqual(['next-secret'])
})
