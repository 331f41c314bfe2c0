import { describe, expect, it } from 'vitest'
import { isFunctionRole, isSavedQuery, NESTED_STACKS, QUERIES_STACK, ROLES_STACK } from '../../infra/deliver/nesting.ts'
import { grantsOf } from '../../infra/iam/grants.ts'
import { DESTINATIONS_STACK, deliverIdOf, isOfDestinations } from '../../infra/names.ts'
import { destinationsOf } from '../../lib/deliver/configured/destinations.ts'
import { checkedConfig } from '../../lib/deliver/configured/read.ts'
import { circleIn } from '../support/template/circle.ts'
import { brokenRules } from '../support/template/rules.ts'
import { ofType, referencesIn, type Template } from '../support/template/template.ts'
import { misspecified, packaged, templateOf } from './packages.ts'
import { DESTINATIONS, HANDLERS } from './team.ts'

const ALL = destinationsOf(checkedConfig({ destinations: DESTINATIONS }, 'prod', HANDLERS), 'prod')

const parent = packaged('destinations')
const nested: Readonly<Record<string, Template>> = Object.fromEntries(
  NESTED_STACKS.map(({ id, file }) => [id, packaged('destinations', file)]),
)
const one = templateOf('destinations')
const base = templateOf('prod')

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
      ...['DeliverLambdaFunction', 'DeliverRole', 'DeliveryDeadAlarm', 'DeliveryOldestAlarm', 'DeliveryQueuesPolicy'],
      ...['DeliveryScanEventsRuleSchedule1', 'DeliveryScanLambdaEvConf', 'DeliveryScanLambdaFunction'],
      ...['DeliveryScanLambdaPermissionEventsRuleSchedule1', 'DeliveryScanRole'],
    ]
    expect(idsIn(nested[DESTINATIONS_STACK])).toEqual(expect.arrayContaining(shared))
    expect(idsIn(nested[DESTINATIONS_STACK])).toHaveLength(25 * 2 + 5 * 4 + shared.length)
  })

  it('K11 all together break no rule', () => {
    expect(brokenRules(one, grantsOf(ALL))).toEqual([])
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
