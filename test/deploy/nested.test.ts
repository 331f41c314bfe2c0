import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { isFunctionRole, isSavedQuery, NESTED_STACKS, QUERIES_STACK, ROLES_STACK } from '../../infra/deliver/nesting.ts'
import { grantsOf } from '../../infra/iam/grants.ts'
import { DESTINATIONS_STACK, deliverIdOf, deliverQueueOf, isOfDestinations } from '../../infra/names.ts'
import { isOfTeam } from '../../infra/team-resources.ts'
import { destinationsOf } from '../../lib/deliver/configured/destinations.ts'
import { checkedConfig } from '../../lib/deliver/configured/read.ts'
import { circleIn } from '../support/template/circle.ts'
import { brokenRules } from '../support/template/rules.ts'
import { ofType, referencesIn, type Template } from '../support/template/template.ts'
import { misspecified, packaged, templateOf } from './packages.ts'
import { DESTINATIONS, HANDLERS, NAME, NETWORKS, RESOURCES, SETTINGS } from './team.ts'

const CONFIG = { destinations: DESTINATIONS, handlers: SETTINGS }
const NAMED = destinationsOf(checkedConfig(CONFIG, 'prod', HANDLERS, Object.keys(RESOURCES)), 'prod')
const ALL = NAMED.map((one) => ({ ...one, network: one.network ?? NETWORKS[1] }))

const parent = packaged('destinations')
const nested: Readonly<Record<string, Template>> = Object.fromEntries(
  NESTED_STACKS.map(({ id, file }) => [id, packaged('destinations', file)]),
)
const one = templateOf('destinations')
const base = templateOf('prod')

interface Environment {
  readonly Variables: Readonly<Record<string, unknown>>
}

const idsIn = (template: Template | undefined) => Object.keys(template?.Resources ?? {})

describe('with 25 destinations and 5 handlers', () => {
  // Fixed, and below the 500 resources of CloudFormation: a team may add its own.
  it('the main stack has at most 356 resources, each nested one 380, and all keep the other limits of CloudFormation', () => {
    expect(idsIn(parent).length).toBeLessThanOrEqual(356)
    for (const template of [parent, ...Object.values(nested)]) {
      const { Parameters: parameters = {}, Outputs: outputs = {} } = template
      expect(idsIn(template).length).toBeLessThanOrEqual(380)
      expect(Object.keys(parameters).length).toBeLessThanOrEqual(200)
      expect(Object.keys(outputs).length).toBeLessThanOrEqual(200)
      expect(JSON.stringify(template, null, 2).length).toBeLessThan(1_000_000)
    }
  })

  it('no resources wait for each other in a circle, neither in the main stack nor in a nested one', () => {
    for (const template of [parent, ...Object.values(nested)]) expect(circleIn(template)).toEqual([])
  })

  it('each template matches the specification of AWS, and every reference has a target', () => {
    expect([parent, ...Object.values(nested)].flatMap(misspecified)).toEqual([])
  })

  it.each(NESTED_STACKS.map(({ id }) => id))(
    'the parent passes every parameter of %s, and reads only its outputs',
    (id) => {
      const given = parent.Resources[id]?.Properties['Parameters'] ?? {}
      expect(Object.keys(given).sort()).toEqual(Object.keys(nested[id]?.Parameters ?? {}).sort())
      const asked = referencesIn(parent.Resources).filter(({ name }) => name === id)
      expect(new Set(asked.map(({ attribute }) => attribute))).toEqual(
        new Set(Object.keys(nested[id]?.Outputs ?? {}).map((output) => `Outputs.${output}`)),
      )
    },
  )

  it.each(NESTED_STACKS.map(({ id }) => id))('no parameter of %s depends on a conditional resource', (id) => {
    const names = referencesIn(parent.Resources[id]?.Properties).map(({ name }) => name)
    expect(names.filter((name) => parent.Resources[name]?.Condition !== undefined)).toEqual([])
  })

  it('no resource is lost, duplicated or renamed, and each destination is complete', () => {
    const isMoved = (id: string) => isSavedQuery(id) || isFunctionRole(id)
    const stacks = NESTED_STACKS.map(({ id }) => id)
    expect(idsIn(parent).sort()).toEqual([...idsIn(base).filter((id) => !isMoved(id)), ...stacks].sort())
    expect(idsIn(nested[QUERIES_STACK])).toEqual(idsIn(base).filter(isSavedQuery))
    expect(idsIn(nested[ROLES_STACK]).sort()).toEqual(idsIn(base).filter(isFunctionRole).sort())
    expect(idsIn(base).filter(isOfDestinations)).toEqual([])
    expect(idsIn(nested[DESTINATIONS_STACK]).filter((id) => !isOfDestinations(id))).toEqual([])
    const idsOf = (name: string) =>
      idsIn(nested[DESTINATIONS_STACK])
        .flatMap((other) => (other.startsWith(deliverIdOf(name)) ? other.replace(deliverIdOf(name), '') : []))
        .sort()
    const mapping = (queue: string) => `EventSourceMappingSQS${queue}`
    for (const { name, target } of ALL) {
      const id = deliverIdOf(name)
      const own = ['LambdaFunction', 'Role', mapping(`${id}Queue`)].sort()
      expect(idsOf(name)).toEqual(target.to === 'handler' ? [...own, 'Queue'].sort() : ['Queue'])
    }
    const shared = [
      ...['DeliveryDeadAlarm', 'DeliveryOldestAlarm', 'DeliveryQueuesPolicy'],
      ...['DeliveryScanEventsRuleSchedule1', 'DeliveryScanLambdaEvConf', 'DeliveryScanLambdaFunction'],
      ...['DeliveryScanLambdaPermissionEventsRuleSchedule1', 'DeliveryScanRole'],
    ]
    expect(idsIn(nested[DESTINATIONS_STACK])).toEqual(expect.arrayContaining(shared))
    expect(idsIn(nested[DESTINATIONS_STACK])).toHaveLength(25 * 2 + 5 * 4 + NETWORKS.length * 2 + shared.length)
  })

  it('the destinations of one network have a function in it, a handler its own, and those that name none are in that of the stage', () => {
    const found = ofType(one, 'AWS::Lambda::Function').filter(({ name }) => name.startsWith('Deliver'))
    const networkOf = (index: number) => {
      const queue = { 'Fn::GetAtt': [deliverQueueOf(ALL[index]?.name ?? ''), 'Arn'] }
      const [mapping] = ofType(one, 'AWS::Lambda::EventSourceMapping').filter(({ Properties }) =>
        isDeepStrictEqual(Properties['EventSourceArn'], queue),
      )
      const [{ name = '' } = {}] = referencesIn(mapping?.Properties['FunctionName'])
      return [name, found.find((other) => other.name === name)?.Properties['VpcConfig']]
    }
    const [first, second] = NETWORKS.map(({ subnetIds: SubnetIds, securityGroupIds: SecurityGroupIds }) => ({
      ...{ SubnetIds, SecurityGroupIds },
    }))
    expect(networkOf(0)).toEqual([expect.stringMatching(/^DeliverNetwork[0-9A-F]{8}LambdaFunction$/), first])
    expect(networkOf(1)[1]).toEqual(second)
    expect(networkOf(2)).toEqual(networkOf(0))
    expect(networkOf(3)).toEqual(networkOf(1))
    expect(networkOf(25)).toEqual(['DeliverPaymentALambdaFunction', first])
    expect(networkOf(26)).toEqual(['DeliverPaymentBLambdaFunction', second])
  })

  it('a handler may use the table of the team that it names, and no other handler may', () => {
    expect(idsIn(nested['TeamStack'])).toEqual(Object.keys(RESOURCES))
    const right = { Effect: 'Allow', Action: ['dynamodb:PutItem'], Resource: [{ 'Fn::GetAtt': ['TeamOrders', 'Arn'] }] }
    const found = ['A', 'B'].map((name) => {
      const propertiesOf = (kind: string) => one.Resources[`DeliverPayment${name}${kind}`]?.Properties ?? {}
      const [policy] = propertiesOf('Role')['Policies'] as readonly [{ PolicyDocument: { Statement: unknown[] } }]
      const { Variables: variables } = propertiesOf('LambdaFunction')['Environment'] as Environment
      return [policy.PolicyDocument.Statement.some((other) => isDeepStrictEqual(other, right)), variables['TeamOrders']]
    })
    expect(found).toEqual([
      [true, { Ref: 'TeamOrders' }],
      [false, undefined],
    ])
  })

  it('nothing is called as in a stack of another name, in one account', () => {
    const named = (template: Template) => JSON.stringify(template.Resources).match(/gatehouse[-/]prod/g) ?? []
    expect(named(base).length).toBeGreaterThan(500)
    expect(named(one)).toEqual([])
    const variables = ofType(one, 'AWS::Lambda::Function').map(({ Properties }) => Properties['Environment'])
    expect(new Set(variables.map((given) => (given as Environment).Variables['SERVICE_NAME']))).toEqual(new Set([NAME]))
  })

  it("K11 all together break no rule, but for the team's own, and the handler with a right of the configuration", () => {
    const broken = brokenRules(one, grantsOf(ALL, false))
    expect(broken.filter(({ resource }) => !isOfTeam(resource))).toEqual([
      { resource: 'DeliverPaymentALambdaFunction', rule: 'a function may do what its row says, and nothing else' },
    ])
  })

  it('the functions of destinations wait for their roles, and their stack waits for their log', () => {
    const stack = nested[DESTINATIONS_STACK] as Template
    for (const { name, DependsOn: others } of ofType(stack, 'AWS::Lambda::Function')) {
      expect(others).toEqual([name.replace(/LambdaFunction$/, 'Role')])
    }
    expect(parent.Resources[DESTINATIONS_STACK]?.DependsOn).toEqual(['JobsLogGroup'])
  })

  // IAM user guide, "IAM and AWS STS quotas".
  it('no policy of a role is larger than the limit of IAM, 10,240 characters', () => {
    const longest = ofType(one, 'AWS::IAM::Role').map(({ Properties }) => resolvedLength(Properties['Policies'] ?? []))
    expect(Math.max(...longest)).toBeLessThan(10_240)
  })

  function resolvedLength(policies: unknown): number {
    return JSON.stringify(policies, (_, value) =>
      typeof value === 'object' && value !== null && ('Fn::GetAtt' in value || 'Ref' in value) ? LONG_ARN : value,
    ).length
  }

  const LONG_ARN = `arn:aws-us-gov:dynamodb:us-gov-west-1:123456789012:table/gatehouse-${'x'.repeat(60)}`
})

it('saved queries need nothing of their parent, and give it nothing', () => {
  expect(Object.keys(nested[QUERIES_STACK] ?? {})).toEqual(['AWSTemplateFormatVersion', 'Resources'])
  expect(referencesIn(nested[QUERIES_STACK]?.Resources)).toEqual([])
})
