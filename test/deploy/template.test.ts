import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { isSavedQuery } from '../../infra/deliver/nesting.ts'
import { DEPLOY_RIGHTS } from '../../infra/description/deploy-rights.ts'
import { GATEWAY_ROLE } from '../../infra/iam/gateway-role.ts'
import { grantsOf } from '../../infra/iam/grants.ts'
import { brokenRules, type RuleName } from '../support/template/rules.ts'
import { ofType, type Template } from '../support/template/template.ts'
import { misspecified, templateOf } from './packages.ts'

const prod = templateOf('prod')
const brokenIn = (template: Template, isBasic = false) => brokenRules(template, grantsOf([], isBasic))

interface SavedQuery {
  readonly Name: string
  readonly QueryString: string
  readonly LogGroupNames: readonly string[]
}

describe.each([
  ['prod', prod, false],
  ['everything', templateOf('everything'), true],
])('the template of %s', (stage, template, isBasic) => {
  it('matches the specification of AWS, and every reference has a target', () => {
    expect(misspecified(template)).toEqual([])
  })

  it('K11 breaks no rule', () => {
    expect(brokenIn(template, isBasic)).toEqual([])
  })

  it('has only types of resources that the table of rights knows', () => {
    const known = new Set(DEPLOY_RIGHTS.flatMap(({ makes }) => makes))
    const types = new Set(Object.values(template.Resources).map(({ Type }) => Type))
    expect(types.size).toBeGreaterThan(15)
    expect([...types].filter((type) => !known.has(type))).toEqual([])
  })

  it('creates only logs that the table of rights allows the deployer to create', () => {
    const allowed = DEPLOY_RIGHTS.filter(({ on }) => on.startsWith('log-group:')).map(({ on }) =>
      on.replace('log-group:', '').replace('<stage>', stage).replace(/\*$/, ''),
    )
    const names = ofType(template, 'AWS::Logs::LogGroup').map(({ Properties }) => `${Properties['LogGroupName']}`)
    expect(names).toContain(`/gatehouse/${stage}/webhooks`)
    expect(names.filter((name) => !allowed.some((start) => name.startsWith(start)))).toEqual([])
  })

  // Amazon CloudWatch Logs API Reference, PutQueryDefinition and StartQuery.
  it('has a saved query for each of the pages, over its own logs', () => {
    const names = new Set(ofType(template, 'AWS::Logs::LogGroup').map(({ Properties }) => Properties['LogGroupName']))
    const queries = ofType(template, 'AWS::Logs::QueryDefinition')
    expect(queries.length).toBeGreaterThan(20)
    expect(queries.filter(({ name }) => !isSavedQuery(name))).toEqual([])
    for (const { Properties } of queries) {
      const { Name: name, QueryString: text, LogGroupNames: groups } = Properties as unknown as SavedQuery
      expect(name).toMatch(new RegExp(`^gatehouse-${stage}/[a-z0-9-]+$`))
      expect(text.length).toBeLessThan(10_000)
      expect(groups.length).toBeLessThanOrEqual(50)
      expect(groups).not.toEqual([])
      expect(groups.filter((group) => !names.has(group))).toEqual([])
    }
  })
})

it('the template of the firewall matches the specification of AWS', () => {
  const attribute = { tag: '!GetAtt', resolve: (path: string) => ({ 'Fn::GetAtt': path.split('.') }) }
  const reference = { tag: '!Ref', resolve: (name: string) => ({ Ref: name }) }
  const firewall: Template = parse(readFileSync('infra/edge/firewall.yml', 'utf8'), {
    customTags: [attribute, reference],
  })
  expect(misspecified(firewall)).toEqual([])
  expect(ofType(firewall, 'AWS::WAFv2::WebACL')).toHaveLength(1)
})

it('the gateway’s role is within the limit of IAM in the region and stage with the longest names: 10,240 characters', () => {
  const place = 'arn:aws-us-gov:lambda:ap-southeast-1:123456789012:function:'
  const arnOf = (id: string) =>
    `${place}${String(prod.Resources[id]?.Properties['FunctionName']).replace('-prod-', `-${'s'.repeat(25)}-`)}`
  const policies = prod.Resources[GATEWAY_ROLE]?.Properties['Policies']
  const text = JSON.stringify(policies).replaceAll(/\{"Fn::GetAtt":\["(\w+)","Arn"\]\}/g, (_, id) => `"${arnOf(id)}"`)
  expect(text.match(/function:gatehouse-s{25}-/g)).toHaveLength(ofType(prod, 'AWS::ApiGatewayV2::Integration').length)
  expect(text.length).toBeLessThan(9000)
})

it('the template of the function at the edge matches the specification of AWS', () => {
  const customTags = ['GetAtt', 'Ref'].map((name) => ({
    tag: `!${name}`,
    resolve: (text: string) => (name === 'Ref' ? { Ref: text } : { 'Fn::GetAtt': text.split('.') }),
  }))
  const challenge: Template = parse(readFileSync('infra/edge/challenge.yml', 'utf8'), { customTags })
  expect(misspecified(challenge)).toEqual([])
  expect(ofType(challenge, 'AWS::Lambda::Version')).toHaveLength(1)
})

type Path = readonly (string | number)[]

const STATEMENT = ['Properties', 'Policies', 0, 'PolicyDocument', 'Statement', 0]
const POLICY = 'a function may do what its row says, and nothing else'
const GATEWAY = 'the gateway calls the functions of its routes, and nothing else'
const ALARM = 'what can fail has an alarm'
const KEPT = 'a table outlives its stack, unless its first deployment fails or its data is disposable'

type Finding = RuleName | 'specification'

/** A change of the template of production that must not be overlooked; undefined takes something away. */
const FAULTS: readonly (readonly [fault: string, at: Path, becomes: unknown, found: Finding])[] = [
  ['a wildcard', ['AdapterTaskRole', ...STATEMENT, 'Action'], ['dynamodb:*'], 'nothing is allowed on everything'],
  ['a right on everything', ['AdapterTaskRole', ...STATEMENT, 'Resource'], '*', 'nothing is allowed on everything'],
  ['a role with one right less', ['HomeRole', ...STATEMENT, 'Action'], ['logs:PutLogEvents'], POLICY],
  [
    'a secret in an environment',
    ['HomeLambdaFunction', 'Properties', 'Environment', 'Variables', 'LDAP_BIND_PASSWORD'],
    'plain',
    'a function is told no secret',
  ],
  [
    'a function that anybody may call',
    ['RetryScanLambdaPermissionEventsRuleSchedule1', 'Properties', 'SourceArn'],
    undefined,
    'only the stack itself calls a function',
  ],
  [
    'a gateway that may do more than call',
    [GATEWAY_ROLE, ...STATEMENT, 'Action', 1],
    'lambda:UpdateFunctionCode',
    GATEWAY,
  ],
  [
    'a queue without TLS',
    ['ReplayQueuePolicy', 'Properties', 'PolicyDocument', 'Statement', 0, 'Condition'],
    { Bool: { 'aws:SecureTransport': 'true' } },
    'a queue or bucket is reached over TLS only',
  ],
  [
    'an alarm for another queue',
    ['RetryDeadLetterAlarm', 'Properties', 'Dimensions', 0, 'Value', 'Fn::GetAtt', 0],
    'ReplayDeadLetterQueue',
    ALARM,
  ],
  ['a table that goes with its stack', ['EventsTable', 'DeletionPolicy'], 'Delete', KEPT],
  ['a wrong attribute name', ['RetryQueue', 'Properties', 'DelaySecond'], 5, 'specification'],
  ['a wrong type', ['RetryQueue', 'Properties', 'DelaySeconds'], 'soon', 'specification'],
  ['a missing property', ['HttpApiStage', 'Properties', 'ApiId'], undefined, 'specification'],
  ['a dangling reference', ['HttpApiStage', 'Properties', 'ApiId'], { Ref: 'OtherApi' }, 'specification'],
  ['a condition that is not there', ['AdapterCluster', 'Condition'], 'Never', 'specification'],
]

it.each(FAULTS)('%s is found', (_, at, becomes, found) => {
  const template = structuredClone(prod)
  change(template.Resources, at, becomes)
  if (found === 'specification') expect(misspecified(template)).not.toEqual([])
  else expect(new Set(brokenIn(template).map(({ rule }) => rule))).toEqual(new Set([found]))
})

function change(value: object, [key = '', ...path]: Path, becomes: unknown): void {
  const target = value as Record<string | number, unknown>
  if (path.length > 0) change(target[key] as object, path, becomes)
  else if (becomes === undefined) delete target[key]
  else target[key] = becomes
}
