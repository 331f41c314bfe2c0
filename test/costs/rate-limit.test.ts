import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { coldEndpoint } from '../support/cold-function.ts'
import { type CountingProxy, countingProxy } from '../support/counting-proxy.ts'
import { LAMBDA_ENVIRONMENT, STRIPE_SECRET } from '../support/lambda-environment.ts'
import { type Invoke, lambdaEvent } from '../support/lambda-event.ts'

const MINUTE = 60_000

const ready = inject('ready')

describe('W07 while the clock does not advance', () => {
  const lines: string[] = []
  let dynamodb: CountingProxy

  beforeAll(async () => {
    dynamodb = await countingProxy(ready.dynamodb)
    const environment = {
      ...LAMBDA_ENVIRONMENT,
      AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
      TRUSTED_PROXIES: '127.0.0.1',
    }
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
    vi.spyOn(console, 'log').mockImplementation((line) => lines.push(line))
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - (Date.now() % MINUTE) })
  })

  afterAll(async () => {
    vi.useRealTimers()
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
    await dynamodb.close()
  })

  /** Instances of the Stripe function that share nothing but the store. */
  async function instances(count: number): Promise<readonly Invoke[]> {
    const handlers: Invoke[] = []
    while (handlers.length < count) handlers.push(await coldEndpoint('webhooks/stripe'))
    const started = await Promise.all(handlers)
    dynamodb.take()
    return started
  }

  function signature(body: string, secret: string): string {
    const t = Math.floor(Date.now() / 1000)
    return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`
  }

  /** A Stripe event that came through a proxy, genuine unless told otherwise. */
  function eventFrom(address: string, secret = STRIPE_SECRET) {
    const body = JSON.stringify({ id: randomUUID(), type: 'customer.created', data: {} })
    const headers = { 'x-forwarded-for': `127.0.0.1, ${address}`, 'stripe-signature': signature(body, secret) }
    return lambdaEvent('POST', '/webhooks/stripe', { body, headers })
  }

  /** @param notes how many of the updates note a source, accepted or refused, or a reason to refuse: one for each, as the time stands still */
  const costs = (notes = 0) => {
    const operations = dynamodb.take()
    const updates = operations.filter((operation) => operation === 'UpdateItem').length
    return { leases: updates - notes, others: operations.length - updates }
  }

  it('the 101st call is refused until the end of its Retry-After', async () => {
    const [stripe] = await instances(1)
    const statuses = []
    for (let call = 0; call < 101; call++) statuses.push((await stripe?.(eventFrom('192.0.2.1')))?.statusCode)
    expect(statuses).toEqual([...Array(100).fill(200), 429])
    expect(costs(3)).toEqual({ leases: 10, others: 100 })
    const refused = await stripe?.(eventFrom('192.0.2.1'))
    expect(refused?.headers['retry-after']).toBe('61')
    expect(costs()).toEqual({ leases: 0, others: 0 })
    vi.advanceTimersByTime(61_000)
    expect((await stripe?.(eventFrom('192.0.2.1')))?.statusCode).toBe(200)
  })

  it('W39 of 160 calls from as many addresses of one IPv6 network, 100 are accepted', async () => {
    const [stripe] = await instances(1)
    costs()
    const statuses = []
    for (let host = 1; host <= 160; host++) {
      const event = eventFrom(`2001:db8::${host.toString(16)}`, 'whsec_forged')
      statuses.push((await stripe?.(event))?.statusCode)
    }
    expect(statuses).toEqual([...Array(100).fill(400), ...Array(60).fill(429)])
    expect(costs(3)).toEqual({ leases: 10, others: 0 })
  })

  it('90 genuine calls from one address are accepted by several instances, and no more than 100', async () => {
    const several = await instances(3)
    const statuses: (number | undefined)[] = []
    for (let call = 0; call < 130; call++) {
      statuses.push((await several[call % several.length]?.(eventFrom('192.0.2.2')))?.statusCode)
    }
    expect(statuses.slice(0, 90)).toEqual(Array(90).fill(200))
    const accepted = statuses.filter((status) => status === 200).length
    expect(accepted).toBeLessThanOrEqual(100)
    expect(statuses.filter((status) => status === 429)).toHaveLength(130 - accepted)
  })

  it('W14 4,000 forged calls block none of 90 genuine ones, and the limiter costs 0.1 requests per webhook', async () => {
    const [stripe] = await instances(1)
    costs()
    lines.length = 0
    const answers = { forged: new Map<number, number>(), genuine: new Map<number, number>() }
    async function send(kind: keyof typeof answers, address: string, secret?: string): Promise<void> {
      const { statusCode = 0 } = (await stripe?.(eventFrom(address, secret))) ?? {}
      answers[kind].set(statusCode, (answers[kind].get(statusCode) ?? 0) + 1)
    }
    for (let call = 0; call < 4000; call++) {
      await send('forged', `198.51.100.${call % 20}`, 'whsec_forged')
      if (call % 44 === 0 && call < 3960) await send('genuine', `203.0.113.${call % 3}`)
    }
    expect(answers.forged).toEqual(
      new Map([
        [400, 2000],
        [429, 2000],
      ]),
    )
    expect(answers.genuine).toEqual(new Map([[200, 90]]))
    const { leases, others } = costs(3)
    expect(others).toBe(90)
    expect(leases).toBeLessThanOrEqual(0.1 * 4090)
    const audited = lines.map((line) => JSON.parse(line)).filter(({ message }) => message === 'audit')
    expect(audited.filter(({ reason }) => reason === 'rate-limited')).toHaveLength(2000)
    process.stdout.write(`4,090 webhooks, ${leases} requests of the limiter\n`)
  })
})
