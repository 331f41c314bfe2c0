import { describe, expect, it } from 'vitest'
import { byStage } from '../../../../lib/config.ts'
import { destinationsOf } from '../../../../lib/deliver/configured/destinations.ts'
import { checkedConfig, type FoundHandler, readConfig } from '../../../../lib/deliver/configured/read.ts'
import { destinationNames } from '../../../../lib/deliver/handler-file.ts'
import { destinationsFor } from '../../../../lib/deliver/match.ts'
import { EVENT } from '../../../support/fakes/deliveries.ts'

const file = (path: string, on: unknown = ['**']): FoundHandler => ({ path, on })
const problemsOf = (config: object, found: readonly FoundHandler[], stage?: string) =>
  readConfig(config, stage, found).problems ?? []

const HTTP = { to: 'http', url: 'https://crm.example.com/hooks', from: { '*': ['**'] } }
const SHOP = { sources: { shop: { proof: { kind: 'basic' } } } }

/** A handler as a destination of production. */
function handlerIn(settings: object, on = ['orders/paid']) {
  const team = checkedConfig({ ...SHOP, handlers: { 'shop/order-paid': settings } }, 'prod', [
    file('shop/order-paid', on),
  ])
  return destinationsOf(team, 'prod')[0]
}

const rightTo = (action: string, resource: unknown) => ({ rights: [{ actions: [action], resources: [resource] }] })

describe('a handler', () => {
  it('is a destination that receives only events of its folder', () => {
    const team = checkedConfig({ ...SHOP, destinations: { crm: HTTP } }, 'prod', [
      file('shop/order-paid', ['orders/*']),
      file('stripe/note-payment', ['payment_intent.*']),
    ])
    const destinations = destinationsOf(team, 'prod')
    const named = (source: string, eventType: string) =>
      destinationsFor(destinations, { ...EVENT, source, eventType }).map(({ name }) => name)
    expect(named('shop', 'orders/paid')).toEqual(['crm', 'shop:order-paid'])
    expect(named('shop', 'payment_intent.succeeded')).toEqual(['crm'])
    expect(named('stripe', 'payment_intent.succeeded')).toEqual(['crm', 'stripe:note-payment'])
  })

  it('runs with the defaults without a configuration', () => {
    expect(handlerIn({})).toMatchObject({
      name: 'shop:order-paid',
      concurrency: 5,
      timeout: 15_000,
      delays: [5000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000],
      giveUpAfter: 259_200_000,
      target: { to: 'handler', path: 'shop/order-paid', memory: 512, secrets: [], rights: [] },
    })
  })

  it('runs as the configuration defines, with the resources of its stage', () => {
    const resources = ['*', byStage({ prod: 'arn:aws:ses:eu-central-1:123456789012:identity/a', default: '*' })]
    const given = {
      timeoutSeconds: 800,
      memoryMegabytes: 1024,
      concurrency: 2,
      retry: [1],
      secrets: ['mail'],
      rights: [{ actions: ['ses:SendEmail'], resources }],
    }
    expect(handlerIn(given)).toMatchObject({
      concurrency: 2,
      timeout: 800_000,
      delays: [1000],
      target: {
        memory: 1024,
        secrets: ['mail'],
        rights: [{ actions: ['ses:SendEmail'], resources: ['*', 'arn:aws:ses:eu-central-1:123456789012:identity/a'] }],
      },
    })
  })

  it.each([
    ['prod', 1024, 60_000],
    ['test', 512, 15_000],
  ])('has on the stage %s %i MB, and %i ms for an event', (stage, memory, timeout) => {
    const settings = { memoryMegabytes: byStage({ prod: 1024 }), timeoutSeconds: byStage({ prod: 60 }) }
    const team = checkedConfig({ ...SHOP, handlers: { 'shop/order-paid': settings } }, stage, [file('shop/order-paid')])
    expect(destinationsOf(team, stage)).toMatchObject([{ timeout, target: { memory } }])
  })

  it.each<[string, unknown, string | RegExp]>([
    ['strype/a', ['**'], 'handlers/strype/a.ts: strype is no name of a source'],
    ['constructor/a', ['**'], 'handlers/constructor/a.ts: constructor is no name of a source'],
    ['stripe/Note', ['**'], /^handlers\/stripe\/Note\.ts: its name must have a-z, 0-9 and - only/],
    ['stripe/note-', ['**'], /: its name must have/],
    [`stripe/${'a'.repeat(27)}`, ['**'], /must have at most 33 characters$/],
    ['stripe/a', [], 'handlers/stripe/a.ts: on: must be a list of 1 to 100 types'],
    ['stripe/a', ['pay*'], /^handlers\/stripe\/a\.ts: on\.0: must be segments/],
    ['stripe/a', undefined, 'handlers/stripe/a.ts: on: must be a list of 1 to 100 types'],
  ])('%s for %j is refused', (path, on, problem) => {
    expect(problemsOf({}, [{ path, on }])).toEqual([expect.stringMatching(problem)])
  })

  it('that cannot be parsed is reported with its place', () => {
    const problem = { text: 'Unexpected "]"', line: 3, column: 7 }
    expect(problemsOf({}, [{ path: 'stripe/a', problem }])).toEqual(['handlers/stripe/a.ts:3:7: Unexpected "]"'])
    expect(problemsOf({}, [{ path: 'a', problem }])).toEqual(['handlers/a.ts:3:7: Unexpected "]"'])
  })

  it.each<[object | number, string]>([
    [7, ': must be an object'],
    [{ from: {} }, ': has unknown fields: "from"'],
    [{ timeoutSeconds: 801 }, '.timeoutSeconds: must be a whole number from 1 to 800'],
    [{ memoryMegabytes: 128 }, '.memoryMegabytes: must be a whole number from 256 to 10240'],
    [
      { memoryMegabytes: byStage({ prod: 128 }) },
      '.memoryMegabytes.byStage.prod: must be a whole number from 256 to 10240',
    ],
    [{ timeoutSeconds: '9' }, '.timeoutSeconds: must be a whole number from 1 to 800, or byStage with these'],
    [{ secrets: ['A key'] }, '.secrets.0: must be a name of a-z, 0-9, . _ -'],
    [{ secrets: ['crm'] }, '.secrets: must not read what a destination is signed with'],
    [{ ratePerSecond: 1 }, '.ratePerSecond: must be at least 2.5, half of concurrency'],
    [
      { network: 'private' },
      ".network: 'private' reaches nothing on the deployed stage prod: it needs { subnetIds, securityGroupIds }",
    ],
    [rightTo('*', '*'), '.rights.0.actions.0: must be an action of IAM, such as dynamodb:PutItem'],
    [rightTo('s3:Get*', 'bucket'), ".rights.0.resources.0: must be an ARN, { team: 'TeamId' }, or * alone"],
    [
      rightTo('s3:Get*', { team: 'TeamFiles/index/*' }),
      '.rights.0.resources.0.team: is not in resources.yml: TeamFiles',
    ],
    [rightTo('s3:Get*', byStage({ local: '*' })), '.rights.0.resources.0: has no value for the stage prod'],
  ])('with the settings %j is refused: %s', (settings, problem) => {
    const config = { destinations: { crm: HTTP }, handlers: { 'stripe/a': settings } }
    expect(problemsOf(config, [file('stripe/a')], 'prod')).toEqual([`handlers."stripe/a"${problem}`])
  })

  it('chooses by content that its events can have', () => {
    const found = (where: unknown) => [{ ...file('stripe/a', ['charge.failed']), where }]
    const where = { json: { amount: [1] } }
    expect(destinationsOf(checkedConfig({}, 'prod', found(where)), 'prod')).toMatchObject([{ where }])
    expect(problemsOf({}, found({ type: ['charge.ok'] }))).toEqual([
      'handlers/stripe/a.ts: where.type: cannot match: no event that comes here has such a value',
    ])
  })

  it('without a file has no settings', () => {
    expect(problemsOf({ handlers: { 'stripe/b': {} } }, [])).toEqual([
      'handlers."stripe/b": has no file handlers/stripe/b.ts',
    ])
  })

  it('has a function name that no other one has', () => {
    expect(problemsOf({ destinations: { 'stripe-a': HTTP } }, [file('stripe/a')])).toEqual([
      'destinations.stripe-a: as a name, must differ from stripe/a in more than its dashes',
      'handlers/stripe/a.ts: stripe/a must differ from stripe-a in more than dashes',
    ])
    expect(problemsOf({}, [file('stripe/a-b'), file('stripe/ab')])).toHaveLength(2)
  })

  it('counts as one of the destinations', () => {
    const many = Array.from({ length: 30 }, (_, n) => file(`stripe/h${n}`))
    expect(problemsOf({}, many)).toEqual([])
    expect(problemsOf({ destinations: { crm: HTTP } }, many)).toEqual([
      'destinations: and handlers together are at most 30',
    ])
  })
})

it('the names of all destinations of a team include those of its handlers', () => {
  const team = checkedConfig({ destinations: { crm: HTTP } }, 'prod', [file('stripe/a')])
  expect(destinationNames(team)).toEqual(new Set(destinationsOf(team, 'prod').map(({ name }) => name)))
})
