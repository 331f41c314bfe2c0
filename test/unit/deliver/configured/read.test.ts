import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byStage, secret } from '../../../../lib/config.ts'
import { destinationsOf } from '../../../../lib/deliver/configured/destinations.ts'
import { checkedConfig, readConfig } from '../../../../lib/deliver/configured/read.ts'
import { destinationsFor } from '../../../../lib/deliver/match.ts'
import { EVENT } from '../../../support/fakes/deliveries.ts'
import { inFull } from '../../../support/full-runs.ts'

const FROM = { '*': ['**'] }
const HTTP = { to: 'http', url: 'https://crm.example.com/hooks', from: FROM }
const BASIC = { basic: { username: 'gatehouse', password: secret('crm-password') } }
const oauth2 = (tokenUrl: string) => ({ oauth2: { tokenUrl, clientId: 'gatehouse', secret: secret('crm-client') } })
const QUEUE = 'arn:aws:sqs:eu-central-1:123456789012:ledger'
const SQS = { to: 'sqs', queue: QUEUE, from: FROM }
const TOPIC = 'arn:aws:sns:eu-central-1:123456789012:crm-team'
const BUS = { to: 'eventbridge', bus: 'arn:aws:events:eu-central-1:123456789012:event-bus/orders', from: FROM }

const NETWORK = "must be { subnetIds, securityGroupIds } or 'private', or byStage with these"
const AUTH =
  'must be one of { basic: { username, password } }, { oauth2: { tokenUrl, clientId, secret, scope } } and { mtls }, each secret as secret(name)'
const NO_HTTPS = 'must be an https address; for the stage local also http to 127.0.0.1 or localhost'
const ALARMS = ': must be false, or an object with deadAfter, oldestMinutes and topic, the ARN of an SNS topic'

const problemsOf = (config: unknown, stage?: string) => readConfig(config, stage).problems ?? []
const wrongIn = (destination: unknown, name = 'crm') => problemsOf({ destinations: { [name]: destination } })

describe('a configuration', () => {
  it.each<[string, object]>([
    ['no destinations', {}],
    ['a queue and a bus', { ledger: SQS, bus: BUS }],
    ['the queue of another partition', { ledger: { ...SQS, queue: QUEUE.replace('aws:', 'aws-us-gov:') } }],
    ['a group in a FIFO queue', { ledger: { ...SQS, queue: `${QUEUE}.fifo`, group: 'data.account' } }],
    ['HTTP Basic', { crm: { ...HTTP, auth: BASIC } }],
    ['OAuth 2', { crm: { ...HTTP, auth: oauth2('https://login.example.com/token') } }],
    ['mutual TLS', { crm: { ...HTTP, auth: { mtls: secret('crm-cert') } } }],
    ['a header with a secret', { crm: { ...HTTP, headers: { 'X-Api-Key': secret('crm-key'), Accept: 'text/plain' } } }],
    [
      'a team’s source, a provider and a configured one',
      { crm: { ...HTTP, from: { payment: ['*'], zoom: ['a'], acme: ['b'] } } },
    ],
    [
      'an open address on the local stage',
      { crm: { ...HTTP, url: byStage({ local: 'http://localhost:4000', default: HTTP.url }) } },
    ],
    ['an address on the local stage only', { crm: { ...HTTP, url: byStage({ local: 'http://127.0.0.1:4000' }) } }],
    ['alarms of its own', { crm: { ...HTTP, alarms: { deadAfter: 10, oldestMinutes: 5, topic: TOPIC } } }],
    ['a topic of each stage', { crm: { ...HTTP, alarms: { topic: byStage({ prod: TOPIC }) } } }],
    ['a rate of half the concurrency', { crm: { ...HTTP, concurrency: 40, ratePerSecond: 20 } }],
    [
      'every limit',
      { crm: { ...HTTP, concurrency: 1000, ratePerSecond: 10_000, timeoutSeconds: 50, giveUpAfterHours: 336 } },
    ],
  ])('may have %s', (_, destinations) => {
    expect(problemsOf({ sources: { acme: { proof: { kind: 'basic' } } }, destinations })).toEqual([])
  })

  it.each([
    ['Crm', 'destinations.Crm: as a name, must begin with a-z, have at most 24 of a-z, 0-9 and -, and not end with -'],
    ['crm-', /^destinations\.crm-: as a name, must begin with a-z/],
    ['a'.repeat(25), /: as a name, must begin with a-z/],
  ])('has no destination named %j', (name, problem) => {
    expect(wrongIn(HTTP, name)).toEqual([expect.stringMatching(problem)])
  })

  it.each<[unknown, string]>([
    [true, ALARMS],
    [{ other: 1 }, ': has unknown fields: "other"'],
    [{ topic: 'crm-team' }, ALARMS],
    [{ topic: byStage({ prod: QUEUE }) }, ALARMS],
    [{ deadAfter: 0 }, '.deadAfter: must be a whole number from 1 to 1000000'],
    [{ oldestMinutes: 20_161 }, '.oldestMinutes: must be a whole number from 1 to 20160'],
  ])('has no alarms %j', (alarms, problem) => {
    expect(wrongIn({ ...HTTP, alarms })).toEqual([`destinations.crm.alarms${problem}`])
  })

  it('chooses by content that its events can have', () => {
    expect(wrongIn({ ...HTTP, where: { json: { a: [1] } } })).toEqual([])
    const wrong = { json: { 'a b': [1, { regex: 'x' }] }, source: ['shop'] }
    expect(wrongIn({ ...HTTP, from: { stripe: ['**'] }, where: wrong })).toEqual([
      expect.stringContaining('destinations.crm.where.json."a b".1: must have one of prefix, suffix,'),
    ])
    expect(wrongIn({ ...HTTP, from: { stripe: ['**'] }, where: { source: ['shop'] } })).toEqual([
      'destinations.crm.where.source: cannot match: no event that comes here has such a value',
    ])
    expect(wrongIn({ ...HTTP, where: null })).toHaveLength(1)
  })

  it('has no two destinations that differ only in dashes', () => {
    expect(problemsOf({ destinations: { 'a-b1': HTTP, 'a-b-1': HTTP } })).toEqual([
      'destinations.a-b-1: as a name, must differ from a-b1 in more than its dashes',
      'destinations.a-b1: as a name, must differ from a-b-1 in more than its dashes',
    ])
  })

  it('has at most 30 destinations', () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`d${n}`, HTTP]))
    expect(problemsOf({ destinations: many(30) })).toEqual([])
    expect(problemsOf({ destinations: many(31) })).toEqual(['destinations: and handlers together are at most 30'])
  })

  const TYPES = 'must be a list of 1 to 100 types'
  const GLOB = 'must be segments between dots or slashes; * is one whole segment, ** any number'
  const ADDRESS = 'must be an https address; for the stage local also http to 127.0.0.1 or localhost'
  const STAGED = 'must be a text, or byStage with texts for stages, one of them default or local'
  const VALUE = 'must be printable ASCII, or secret with a name of a-z, 0-9, . _ -'
  const OURS = 'is a header that the service sets'

  it.each<[object | number, string]>([
    [7, ': must be an object'],
    [{ ...HTTP, to: 'sns' }, '.to: must be one of http, sqs, eventbridge'],
    [{ ...HTTP, queue: QUEUE }, ': has unknown fields: "queue"'],
    [{ ...HTTP, from: undefined }, '.from: must be an object'],
    [{ ...HTTP, from: {} }, '.from: must name a source, or *'],
    [{ ...HTTP, from: { stripe: [] } }, `.from.stripe: ${TYPES}`],
    [{ ...HTTP, from: { stripe: ['a', 'pay*'] } }, `.from.stripe.1: ${GLOB}`],
    [{ ...HTTP, from: { strype: ['**'] } }, '.from.strype: as a name, is none of a source'],
    [{ ...HTTP, from: { constructor: ['**'] } }, '.from.constructor: as a name, is none of a source'],
    [{ ...HTTP, url: '' }, `.url: ${STAGED}`],
    [{ ...HTTP, url: byStage({ prod: HTTP.url }) }, `.url.byStage: ${STAGED}`],
    [{ ...HTTP, headers: 3 }, '.headers: must be an object'],
    [{ ...SQS, queue: 10 }, `.queue: ${STAGED}`],
    [{ ...HTTP, url: 'crm.example.com' }, '.url: must be an address'],
    [{ ...HTTP, url: ' https://crm.example.com' }, '.url: must be an address'],
    [{ ...HTTP, url: 'http://127.0.0.1:4000' }, `.url: ${ADDRESS}`],
    [{ ...HTTP, url: byStage({ default: 'http://127.0.0.1:4000' }) }, `.url.byStage.default: ${ADDRESS}`],
    [{ ...HTTP, url: byStage({ local: 'http://127.0.0.1.example.com' }) }, `.url.byStage.local: ${ADDRESS}`],
    [{ ...HTTP, url: HTTP.url.replace('//', '//a:b@') }, '.url: must have no user and no password'],
    [{ ...HTTP, url: 'https://crm.example.com/#' }, '.url: must have no fragment'],
    [{ ...HTTP, url: 'https://crm.example.com:22' }, '.url: must be on port 443, 80 or above 1023'],
    [{ ...HTTP, network: 'public' }, `.network: ${NETWORK}`],
    [{ ...BUS, network: { subnetIds: ['subnet-01234567'] } }, `.network: ${NETWORK}`],
    [
      { ...HTTP, network: byStage({ prod: { subnetIds: ['vpc-0'], securityGroupIds: ['sg-01234567'] } }) },
      '.network.byStage.prod.subnetIds.0: must be a list of 1 to 16 ids, such as subnet-0123456789abcdef0',
    ],
    [{ ...HTTP, headers: { 'x key': 'a' } }, '.headers."x key": must be the name of a header'],
    [{ ...HTTP, headers: { 'Webhook-Id': 'a' } }, `.headers.Webhook-Id: ${OURS}`],
    [{ ...HTTP, headers: { 'Transfer-Encoding': 'a' } }, `.headers.Transfer-Encoding: ${OURS}`],
    [{ ...HTTP, headers: { a: 'b\r\nc: d' } }, `.headers.a: ${VALUE}`],
    [{ ...HTTP, headers: { a: secret('A key') } }, `.headers.a.secret: ${VALUE}`],
    [{ ...HTTP, headers: { a: secret('crm') } }, '.headers.a: must not send what a destination is signed with'],
    [{ ...HTTP, auth: { mtls: secret('crm') } }, '.auth: must not send what a destination is signed with'],
    [{ ...HTTP, auth: BASIC, headers: { Authorization: 'a' } }, '.headers.Authorization: is a header that auth sets'],
    [{ ...HTTP, auth: { ...BASIC, mtls: secret('a') } }, `.auth: ${AUTH}`],
    [
      { ...HTTP, auth: { basic: { username: 'a:b', password: secret('a') } } },
      '.auth.basic.username: must be printable ASCII without a colon, or secret with a name',
    ],
    [{ ...HTTP, auth: { basic: { username: 'a', password: 'in the file' } } }, `.auth: ${AUTH}`],
    [{ ...HTTP, auth: oauth2('http://a.example/token') }, `.auth.oauth2.tokenUrl: ${NO_HTTPS}`],
    [
      { ...HTTP, auth: oauth2('https://user:password@a.example') },
      '.auth.oauth2.tokenUrl: must have no user and no password',
    ],
    [
      { ...HTTP, auth: { oauth2: { ...oauth2('https://a.example').oauth2, scope: 'a  b' } } },
      '.auth.oauth2.scope: must be names of printable ASCII with one blank between them',
    ],
    [{ ...HTTP, concurrency: 1 }, '.concurrency: must be a whole number from 2 to 1000'],
    [{ ...HTTP, concurrency: 10, ratePerSecond: 4 }, '.ratePerSecond: must be at least 5, half of concurrency'],
    [{ ...HTTP, ratePerSecond: 2 }, '.ratePerSecond: must be at least 2.5, half of concurrency'],
    [{ ...HTTP, ratePerSecond: 10_001 }, '.ratePerSecond: must be a number from 1 to 10000'],
    [{ ...HTTP, timeoutSeconds: 51 }, '.timeoutSeconds: must be a whole number from 1 to 50'],
    [{ ...HTTP, retry: [] }, '.retry: must be a list of 1 to 20 pauses in seconds'],
    [{ ...HTTP, retry: [5, 0] }, '.retry.1: must be a number from 1 to 86400'],
    [{ ...HTTP, giveUpAfterHours: 337 }, '.giveUpAfterHours: must be a number from 1 to 336'],
    [{ ...SQS, queue: QUEUE.replace('123456789012', '1') }, '.queue: must be the ARN of a queue'],
    [{ ...SQS, queue: `${QUEUE}${'a'.repeat(80)}` }, '.queue: must be the ARN of a queue'],
    [{ ...SQS, group: 'data.account' }, '.group: needs a FIFO queue, whose name ends with .fifo'],
    [
      { ...SQS, queue: `${QUEUE}.fifo`, group: 'a..b' },
      '.group: must be at most 16 names of members, joined with dots',
    ],
    [{ ...BUS, bus: QUEUE }, '.bus: must be the ARN of a bus'],
  ])('%j: %s', (destination, problem) => {
    expect(wrongIn(destination)).toEqual([`destinations.crm${problem}`])
  })

  it.each([
    ['repeated in another case', { 'X-Team': 'a', 'x-team': 'b' }, ['X-Team', 'x-team']],
    ['with an inherited name', { constructor: 'a' }, ['constructor']],
  ])('sends no header %s', (_, headers, names) => {
    expect(wrongIn({ ...HTTP, headers })).toEqual(
      names.map((name) => expect.stringContaining(`destinations.crm.headers.${name}: `)),
    )
  })

  it('must have a value for the present stage', () => {
    const url = byStage({ local: 'http://localhost:4000', prod: HTTP.url })
    const config = { destinations: { crm: { ...HTTP, url } } }
    expect(problemsOf(config)).toEqual([])
    expect(problemsOf(config, 'local')).toEqual([])
    expect(problemsOf(config, 'prod')).toEqual([])
    expect(problemsOf(config, 'dev')).toEqual(['destinations.crm.url: has no value for the stage dev'])
  })

  it.each(['Shop', 's', 'shop-of-my-team', 'shop_1', '1shop', 7])('has no name %j', (name) => {
    expect(problemsOf({ name })).toEqual(['name: must have 2 to 12 of a-z, 0-9 and -, and begin with a letter'])
    expect(checkedConfig({ name: 'shop-hooks-1' })).toMatchObject({ name: 'shop-hooks-1' })
  })

  it('is in no private network of a deployed stage without subnets', () => {
    const of = (network: unknown) => ({ destinations: { crm: { ...HTTP, network } } })
    const message = "'private' reaches nothing on the deployed stage prod: it needs { subnetIds, securityGroupIds }"
    expect(problemsOf(of('private'))).toEqual([])
    expect(problemsOf(of('private'), 'local')).toEqual([])
    expect(problemsOf(of('private'), 'prod')).toEqual([`destinations.crm.network: ${message}`])
    expect(problemsOf(of(byStage({ local: 'private' })), 'prod')).toEqual([])
    expect(problemsOf(of(byStage({ default: 'private' })), 'prod')).toHaveLength(1)
  })

  it('D12 reports all errors together, in sources and destinations, by field', () => {
    const wrong = {
      sources: { Acme: { preset: 'zoom' }, acme: { preset: 17 } },
      destinations: {
        Crm: { to: 'http', url: 1, headers: 3, from: 4 },
        bus: { to: 'eventbridge', bus: 'orders', from: { nobody: ['**'] } },
        pigeon: { to: 'pigeon' },
      },
    }
    expect(problemsOf(wrong, 'prod').map((problem) => problem.split(': ')[0])).toEqual([
      'destinations.Crm.from',
      'destinations.Crm.headers',
      'destinations.Crm.url',
      'destinations.Crm',
      'destinations.bus.bus',
      'destinations.bus.from.nobody',
      'destinations.pigeon.to',
      'sources.Acme',
      'sources.acme.preset',
    ])
    expect(() => checkedConfig(wrong)).toThrow('Wrong configuration, gatehouse.config.ts:\n  destinations.Crm.from: ')
  })

  it.each([
    ['destinations that are a list', { destinations: [HTTP] }, 'destinations: must be an object'],
    ['an unknown field', { destination: {} }, 'the configuration: has unknown fields: "destination"'],
  ])('is refused with %s', (_, config, problem) => {
    expect(problemsOf(config)).toEqual([problem])
  })

  it('is accepted or refused by field, for any input, and nothing throws', () => {
    const many = inFull(50_000, 500)
    const seen = { accepted: 0, refused: 0 }
    fc.assert(
      fc.property(CONFIG, (given) => {
        const read = readConfig(given, 'prod')
        if (!read.problems) {
          seen.accepted += 1
          const destinations = destinationsOf(read.config, 'prod')
          expect(destinations.map(({ name }) => name)).toEqual(Object.keys(read.config.destinations ?? {}))
          destinationsFor(destinations, EVENT)
          return
        }
        seen.refused += 1
        expect(read.problems.length).toBeGreaterThan(0)
        for (const problem of read.problems)
          expect(problem).toMatch(/^(the configuration|(destinations|sources)(\.("(\\.|[^"])*"|[\w-]+))*): \S/)
      }),
      { numRuns: many },
    )
    expect(seen.accepted).toBeGreaterThan(many / 10)
    expect(seen.refused).toBeGreaterThan(many / 10)
  }, 120_000)
})

const FIELDS = ['to', 'url', 'network', 'headers', 'auth', 'queue', 'group', 'bus', 'from', 'alarms', 'concurrency']
const NUMBERS = ['ratePerSecond', 'timeoutSeconds', 'retry', 'giveUpAfterHours']

/** A destination that is right but for up to two fields, which may hold anything. */
const DESTINATION = fc
  .tuple(
    fc.constantFrom(HTTP, SQS, BUS),
    fc.dictionary(
      fc.constantFrom(...FIELDS, ...NUMBERS),
      fc.oneof(fc.constantFrom<unknown>('a', 5, [5], { stripe: ['a.*'] }, byStage({ local: QUEUE })), fc.anything()),
      { maxKeys: 2 },
    ),
  )
  .map(([right, changes]) => ({ ...right, ...changes }))
const NAME = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom('crm', 'ledger', 'a-b', '__proto__', 'constructor') },
  { weight: 1, arbitrary: fc.string() },
)
const CONFIG = fc.oneof(
  { weight: 30, arbitrary: fc.record({ destinations: fc.dictionary(NAME, DESTINATION, { maxKeys: 2 }) }) },
  { weight: 1, arbitrary: fc.anything() },
)
