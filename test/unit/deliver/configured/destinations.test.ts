import { describe, expect, it } from 'vitest'
import { byStage, type DestinationConfig, type HttpAuth, secret } from '../../../../lib/config.ts'
import { destinationsOf } from '../../../../lib/deliver/configured/destinations.ts'
import { checkedConfig } from '../../../../lib/deliver/configured/read.ts'

const from = { stripe: ['payment_intent.*'] }
const NETWORK = { subnetIds: ['subnet-0123456789abcdef0'], securityGroupIds: ['sg-0123456789abcdef0'] }

function destinationOn(stage: string, given: DestinationConfig) {
  const [one] = destinationsOf(checkedConfig({ destinations: { crm: given } }), stage)
  return one
}

describe('a destination', () => {
  it('has a default for every omitted field', () => {
    expect(destinationOn('prod', { to: 'http', url: 'https://crm.example.com/hooks', from })).toEqual({
      name: 'crm',
      from: new Map([['stripe', ['payment_intent.*']]]),
      concurrency: 5,
      ratePerSecond: undefined,
      timeout: 15_000,
      delays: [5000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000],
      giveUpAfter: 259_200_000,
      target: { to: 'http', url: 'https://crm.example.com/hooks', isPrivate: false, headers: new Map() },
    })
  })

  it('has the configured fields, times in milliseconds and headers in lower case', () => {
    const given = {
      to: 'http',
      url: 'https://crm.example.com/hooks',
      network: NETWORK,
      headers: { 'X-Api-Key': secret('crm-key'), 'x-team': 'payments' },
      from,
      concurrency: 2,
      ratePerSecond: 20,
      timeoutSeconds: 50,
      retry: [1, 60],
      giveUpAfterHours: 1,
    } as const
    expect(destinationOn('prod', given)).toMatchObject({
      concurrency: 2,
      ratePerSecond: 20,
      timeout: 50_000,
      delays: [1000, 60_000],
      giveUpAfter: 3_600_000,
      network: NETWORK,
      target: {
        isPrivate: true,
        headers: new Map<string, unknown>([
          ['x-api-key', { secret: 'crm-key' }],
          ['x-team', 'payments'],
        ]),
      },
    })
  })

  it.each([
    ['local', 'http://127.0.0.1:4000/hooks'],
    ['prod', 'https://crm.example.com/hooks'],
    ['constructor', 'https://crm.example.com/hooks'],
  ])('is on the stage %s if it is configured there', (stage, url) => {
    const urls = byStage({ local: 'http://127.0.0.1:4000/hooks', default: 'https://crm.example.com/hooks' })
    expect(destinationOn(stage, { to: 'http', url: urls, from })?.target).toMatchObject({ url })
  })

  it.each([
    ['prod', 'arn:aws:sns:eu-central-1:123456789012:crm'],
    ['dev', undefined],
  ])('has alarms of its own, told to the topic of the stage %s, else to that of all', (stage, topic) => {
    const alarms = { deadAfter: 3, topic: byStage({ prod: 'arn:aws:sns:eu-central-1:123456789012:crm' }) }
    const given = { to: 'http', url: 'https://crm.example.com', from } as const
    expect(destinationOn(stage, { ...given, alarms })?.alarms).toEqual({ deadAfter: 3, topic })
    expect(destinationOn(stage, { ...given, alarms: false })?.alarms).toBe(false)
  })

  it.each([
    ['local', undefined, true],
    ['prod', NETWORK, true],
    ['test', undefined, false],
  ])('on the stage %s is in the network %j, and private addresses are allowed: %s', (stage, network, isPrivate) => {
    const given = { to: 'http', url: 'https://crm.example.com', from } as const
    const one = destinationOn(stage, { ...given, network: byStage({ local: 'private', prod: NETWORK }) })
    expect(one?.network).toEqual(network)
    expect(one?.target).toMatchObject({ isPrivate })
    expect(destinationOn('local', { ...given, network: NETWORK })).toMatchObject({ target: { isPrivate: true } })
    expect(destinationOn('local', { ...given, network: NETWORK })?.network).toBeUndefined()
  })

  it('may be a queue or a bus', () => {
    const queue = 'arn:aws:sqs:eu-central-1:123456789012:ledger.fifo'
    expect(destinationOn('prod', { to: 'sqs', queue, group: 'data.account', from })?.target).toEqual({
      to: 'sqs',
      queueArn: queue,
      group: 'data.account',
    })
    const bus = 'arn:aws:events:eu-central-1:123456789012:event-bus/orders'
    expect(destinationOn('prod', { to: 'eventbridge', bus, from })?.target).toEqual({ to: 'eventbridge', busArn: bus })
  })

  it('must be on the stage', () => {
    const url = byStage({ local: 'http://127.0.0.1:4000', prod: 'https://crm.example.com' })
    expect(() => destinationOn('dev', { to: 'http', url, from })).toThrow(
      'destinations.crm.url: has no value for the stage dev',
    )
  })

  it('asks for a token where the stage does, and shows a certificate where there is TLS', () => {
    const oauth2 = {
      clientId: 'us',
      secret: secret('key'),
      tokenUrl: byStage({ local: 'http://127.0.0.1:4001/', prod: 'https://login.example/' }),
    }
    const url = byStage({ local: 'http://127.0.0.1:4000', default: 'https://crm.example.com' })
    const authOn = (stage: string, auth: HttpAuth) => {
      const { target } = destinationOn(stage, { to: 'http', url, from, auth }) ?? {}
      return target && 'auth' in target ? target.auth : undefined
    }
    expect(authOn('prod', { oauth2 })).toEqual({ oauth2: { ...oauth2, tokenUrl: 'https://login.example/' } })
    expect(() => authOn('dev', { oauth2 })).toThrow(
      'destinations.crm.auth.oauth2.tokenUrl: has no value for the stage dev',
    )
    const mtls = { mtls: secret('cert') }
    expect([authOn('prod', mtls), authOn('local', mtls)]).toEqual([mtls, undefined])
  })
})

it('a configuration without destinations has none', () => {
  expect(destinationsOf({}, 'prod')).toEqual([])
})
