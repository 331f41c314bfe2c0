import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { stageDestinations } from '../../infra/deliver/stage.ts'
import { GATEWAY_ROLE } from '../../infra/iam/gateway-role.ts'
import { type GrantTable, grantsOf } from '../../infra/iam/grants.ts'
import { isSavedQuery, NESTED_STACKS } from '../../infra/nested-stacks.ts'
import { DEPLOY_RIGHTS } from '../../infra/preflight/rights-table.ts'
import { packagedTemplate } from '../../test/support/template/packaged.ts'
import { brokenRules, RULES, type RuleName } from '../../test/support/template/rules.ts'
import { createSpecificationCheck } from '../../test/support/template/specification.ts'
import { ofType, type Template } from '../../test/support/template/template.ts'

const STAGES = globSync('*.yml', { cwd: 'stages' }).map((file) => basename(file, '.yml'))

const templates = new Map<string, Template>()
const grants = new Map<string, GrantTable>()
let misspecified: Awaited<ReturnType<typeof createSpecificationCheck>>

beforeAll(async () => {
  misspecified = await createSpecificationCheck()
  for (const stage of STAGES) {
    templates.set(stage, await packagedTemplate(stage))
    grants.set(stage, grantsOf(await stageDestinations(stage)))
  }
}, 600_000)

interface SavedQuery {
  readonly Name: string
  readonly QueryString: string
  readonly LogGroupNames: readonly string[]
}

function brokenIn(template: Template, stage: string) {
  return brokenRules(template, grants.get(stage) ?? {})
}

function templateOf(stage: string): Template {
  const template = templates.get(stage)
  if (!template) throw new Error(`no template of ${stage}`)
  return template
}

it('dev, prod, and an example of each further part are packaged', () => {
  expect(STAGES.toSorted()).toEqual(['container', 'dev', 'edge', 'prod', 'vpc'])
})

describe.each(STAGES)('the template of %s', (stage) => {
  it('matches the specification of AWS, and every reference has a target', () => {
    expect(misspecified(templateOf(stage))).toEqual([])
  })

  it('K11 breaks no rule', () => {
    expect(brokenIn(templateOf(stage), stage)).toEqual([])
  })

  it('creates only logs that the table of rights allows the deployer to create', () => {
    const allowed = DEPLOY_RIGHTS.filter(({ on }) => on.startsWith('log-group:')).map(({ on }) =>
      on.replace('log-group:', '').replace('<stage>', stage).replace(/\*$/, ''),
    )
    const names = ofType(templateOf(stage), 'AWS::Logs::LogGroup').map(
      ({ Properties }) => `${Properties['LogGroupName']}`,
    )
    expect(names).toContain(`/gatehouse/${stage}/webhooks`)
    expect(names.filter((name) => !allowed.some((start) => name.startsWith(start)))).toEqual([])
  })

  // Amazon CloudWatch Logs API Reference, PutQueryDefinition and StartQuery.
  it('has a saved query for each of the pages, over its own logs', () => {
    const names = new Set(
      ofType(templateOf(stage), 'AWS::Logs::LogGroup').map(({ Properties }) => Properties['LogGroupName']),
    )
    const queries = ofType(templateOf(stage), 'AWS::Logs::QueryDefinition')
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

  // Fixed: a change that adds resources has to make room for them. CloudFormation allows 500.
  it('has at most 360 resources, and at most 380 in each nested stack', () => {
    const ids = Object.keys(templateOf(stage).Resources)
    const held = NESTED_STACKS.map(({ holds }) => ids.filter(holds).length).filter((count) => count > 0)
    expect(ids.length - held.reduce((sum, count) => sum + count) + held.length).toBeLessThanOrEqual(360)
    expect(Math.max(...held)).toBeLessThanOrEqual(380)
  })
})

it('the template of the firewall matches the specification of AWS', () => {
  const attribute = { tag: '!GetAtt', resolve: (path: string) => ({ 'Fn::GetAtt': path.split('.') }) }
  const firewall: Template = parse(readFileSync('infra/edge/firewall.yml', 'utf8'), { customTags: [attribute] })
  expect(misspecified(firewall)).toEqual([])
  expect(ofType(firewall, 'AWS::WAFv2::WebACL')).toHaveLength(1)
})

it('the gateway’s role is within the limit of IAM in the region and stage with the longest names: 10,240 characters', () => {
  const template = templateOf('prod')
  const place = 'arn:aws-us-gov:lambda:ap-southeast-1:123456789012:function:'
  const arnOf = (id: string) =>
    `${place}${String(template.Resources[id]?.Properties['FunctionName']).replace('-prod-', `-${'s'.repeat(25)}-`)}`
  const policies = template.Resources[GATEWAY_ROLE]?.Properties['Policies']
  const text = JSON.stringify(policies).replaceAll(/\{"Fn::GetAtt":\["(\w+)","Arn"\]\}/g, (_, id) => `"${arnOf(id)}"`)
  expect(text.match(/function:gatehouse-s{25}-/g)).toHaveLength(
    ofType(template, 'AWS::ApiGatewayV2::Integration').length,
  )
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

const ABSENT = undefined

const GATEWAY_RULE = 'the gateway calls the functions of its routes, and nothing else'

const LOG_RULE = 'a function writes the log of its folder, which the stack makes'

const GATEWAY_POLICY: Path = [GATEWAY_ROLE, 'Properties', 'Policies', 0, 'PolicyDocument']

type Finding = RuleName | 'specification'

/** What is changed in the template of production, and what finds it: mostly one rule, or the specification. */
const FAULTS: readonly {
  readonly fault: string
  readonly at: Path
  readonly becomes: unknown
  readonly found: Finding | readonly Finding[]
}[] = [
  {
    fault: 'a wildcard',
    at: ['AdapterTaskRole', 'Properties', 'Policies', 0, 'PolicyDocument', 'Statement', 0, 'Action'],
    becomes: ['dynamodb:*'],
    found: 'nothing is allowed on everything',
  },
  {
    fault: 'a right on everything',
    at: ['AdapterTaskRole', 'Properties', 'Policies', 0, 'PolicyDocument', 'Statement', 0, 'Resource'],
    becomes: '*',
    found: 'nothing is allowed on everything',
  },
  {
    fault: 'an over-wide role',
    at: ['JdbcUsersRole', 'Properties', 'Policies', 0, 'PolicyDocument', 'Statement', 2, 'Action', 2],
    becomes: 'dynamodb:DeleteItem',
    found: 'a function may do what its row says, and nothing else',
  },
  {
    fault: 'a role with one right less',
    at: ['HomeRole', 'Properties', 'Policies', 0, 'PolicyDocument', 'Statement', 2, 'Action'],
    becomes: ['dynamodb:GetItem'],
    found: 'a function may do what its row says, and nothing else',
  },
  {
    fault: 'a function in a network that its role does not know',
    at: ['HomeLambdaFunction', 'Properties', 'VpcConfig'],
    becomes: { SubnetIds: ['subnet-0123456789abcdef0'], SecurityGroupIds: ['sg-0123456789abcdef0'] },
    found: 'a function may do what its row says, and nothing else',
  },
  {
    fault: 'the role of another function',
    at: ['PublicHelloLambdaFunction', 'Properties', 'Role'],
    becomes: { 'Fn::GetAtt': ['UsersDeleteRole', 'Arn'] },
    found: 'a function has a role of its own',
  },
  {
    fault: 'a function that follows no trace',
    at: ['HomeLambdaFunction', 'Properties', 'TracingConfig'],
    becomes: ABSENT,
    found: 'a function follows or takes traces',
  },
  {
    fault: 'a function that outlasts the gateway',
    at: ['HomeLambdaFunction', 'Properties', 'Timeout'],
    becomes: 60,
    found: 'a function ends before its caller gives up',
  },
  {
    fault: 'a function that logs elsewhere',
    at: ['HomeLambdaFunction', 'Properties', 'LoggingConfig', 'LogGroup'],
    becomes: '/gatehouse/prod/webhooks',
    found: [LOG_RULE, 'a function may do what its row says, and nothing else'],
  },
  {
    fault: 'a log that is not made for its functions',
    at: ['DocsLogGroup', 'Properties', 'LogGroupName'],
    becomes: '/gatehouse/prod/other',
    found: LOG_RULE,
  },
  {
    fault: 'a secret in an environment',
    at: ['HomeLambdaFunction', 'Properties', 'Environment', 'Variables', 'LDAP_BIND_PASSWORD'],
    becomes: 'plain',
    found: 'a function is told no secret',
  },
  {
    fault: 'a function that anybody may call',
    at: ['RetentionLambdaPermissionEventsRuleSchedule1', 'Properties', 'SourceArn'],
    becomes: ABSENT,
    found: 'only the stack itself calls a function',
  },
  {
    fault: 'a gateway that may call any function',
    at: [...GATEWAY_POLICY, 'Statement', 0, 'Resource', 0],
    becomes: { 'Fn::GetAtt': ['RetentionLambdaFunction', 'Arn'] },
    found: GATEWAY_RULE,
  },
  {
    fault: 'a gateway that may do more than call',
    at: [...GATEWAY_POLICY, 'Statement', 0, 'Action', 1],
    becomes: 'lambda:UpdateFunctionCode',
    found: GATEWAY_RULE,
  },
  {
    fault: 'a role of the gateway for another service',
    at: [GATEWAY_ROLE, 'Properties', 'AssumeRolePolicyDocument', 'Statement', 0, 'Principal', 'Service'],
    becomes: 'lambda.amazonaws.com',
    found: GATEWAY_RULE,
  },
  {
    fault: 'a route without a role',
    at: ['HttpApiIntegrationHome', 'Properties', 'CredentialsArn'],
    becomes: ABSENT,
    found: GATEWAY_RULE,
  },
  {
    fault: 'a short retention',
    at: ['LoginLogGroup', 'Properties', 'RetentionInDays'],
    becomes: 7,
    found: 'a log is kept long enough',
  },
  {
    fault: 'an unencrypted queue',
    at: ['RetryQueue', 'Properties', 'SqsManagedSseEnabled'],
    becomes: false,
    found: 'a queue is encrypted',
  },
  {
    fault: 'an unencrypted topic',
    at: ['EventsTopic', 'Properties', 'KmsMasterKeyId'],
    becomes: ABSENT,
    found: 'a topic is encrypted',
  },
  {
    fault: 'a queue without TLS',
    at: ['ReplayQueuePolicy', 'Properties', 'PolicyDocument', 'Statement', 0, 'Condition'],
    becomes: { Bool: { 'aws:SecureTransport': 'true' } },
    found: 'a queue, topic or bucket is reached over TLS only',
  },
  {
    fault: 'a missing redrive',
    at: ['ReplayQueue', 'Properties', 'RedrivePolicy'],
    becomes: ABSENT,
    found: 'what a queue cannot get rid of is kept apart',
  },
  {
    fault: 'a message that comes back too soon',
    at: ['RetryQueue', 'Properties', 'VisibilityTimeout'],
    becomes: 30,
    found: 'a message stays hidden for six runs of its function',
  },
  {
    fault: 'a missing alarm',
    at: ['RetryDeadLetterAlarm'],
    becomes: ABSENT,
    // The dashboard shows it.
    found: ['what can fail has an alarm', 'specification'],
  },
  {
    fault: 'an alarm for another queue',
    at: ['RetryDeadLetterAlarm', 'Properties', 'Dimensions', 0, 'Value', 'Fn::GetAtt', 0],
    becomes: 'ReplayDeadLetterQueue',
    found: 'what can fail has an alarm',
  },
  {
    fault: 'an API that fails unseen',
    at: ['ServerErrorsAlarm', 'Properties', 'Metrics', 1, 'MetricStat', 'Metric', 'MetricName'],
    becomes: '4xx',
    found: 'what can fail has an alarm',
  },
  {
    fault: 'a scan that stops unseen',
    at: ['ScanSilentAlarm', 'Properties', 'MetricName'],
    becomes: 'Retried',
    found: 'what can fail has an alarm',
  },
  {
    fault: 'a replay that Lambda stops',
    at: ['ReplayStepLambdaFunction', 'Properties', 'RecursiveLoop'],
    becomes: ABSENT,
    found: 'who sends to the queue that it reads may go in circles, and nobody else',
  },
  {
    fault: 'a function that may go in circles without need',
    at: ['WebhookPaymentLambdaFunction', 'Properties', 'RecursiveLoop'],
    becomes: 'Allow',
    found: 'who sends to the queue that it reads may go in circles, and nobody else',
  },
  {
    fault: 'a circle that ends unseen',
    at: ['LoopStoppedAlarm', 'Properties', 'MetricName'],
    becomes: 'Retried',
    found: 'a circle of messages has an alarm, whoever ends it',
  },
  {
    fault: 'a container without an alarm',
    at: ['AdapterUnhealthyAlarm'],
    becomes: ABSENT,
    found: ['what can fail has an alarm', 'specification'],
  },
  {
    fault: 'a silent alarm',
    at: ['RetryDeadLetterAlarm', 'Properties', 'AlarmActions'],
    becomes: ABSENT,
    found: 'an alarm can tell somebody',
  },
  {
    fault: 'an alarm that takes silence for nothing',
    at: ['ScanSilentAlarm', 'Properties', 'TreatMissingData'],
    becomes: ABSENT,
    found: 'an alarm knows what silence means',
  },
  {
    fault: 'an unencrypted table',
    at: ['UsersTable', 'Properties', 'SSESpecification', 'SSEEnabled'],
    becomes: false,
    found: 'a table is encrypted and paid for by the request',
  },
  {
    fault: 'a missing TTL',
    at: ['SessionsTable', 'Properties', 'TimeToLiveSpecification'],
    becomes: ABSENT,
    found: 'what a table holds runs out, or can be restored',
  },
  {
    fault: 'a key that is no attribute',
    at: ['SessionsTable', 'Properties', 'KeySchema', 0, 'AttributeName'],
    becomes: 'sesionKey',
    found: 'a table declares the attributes of its keys, and no others',
  },
  {
    fault: 'a table that goes with its stack',
    at: ['EventsTable', 'DeletionPolicy'],
    becomes: 'Delete',
    found: 'a table outlives its stack, unless its first deployment fails or its data is disposable',
  },
  {
    fault: 'a table that stays behind when its first deployment fails',
    at: ['PaymentsTable', 'DeletionPolicy'],
    becomes: 'Retain',
    found: 'a table outlives its stack, unless its first deployment fails or its data is disposable',
  },
  {
    fault: 'a table that goes with its replacement',
    at: ['OrdersTable', 'UpdateReplacePolicy'],
    becomes: 'Delete',
    found: 'a table outlives its stack, unless its first deployment fails or its data is disposable',
  },
  {
    fault: 'a table that a failed deployment cannot take back',
    at: ['UsersTable', 'Properties', 'DeletionProtectionEnabled'],
    becomes: true,
    found: 'no table is protected before its deployment has succeeded',
  },
  {
    fault: 'a public bucket',
    at: ['ServerlessDeploymentBucket', 'Properties', 'PublicAccessBlockConfiguration', 'BlockPublicAcls'],
    becomes: false,
    found: 'a bucket is encrypted, and nobody else’s',
  },
  {
    fault: 'a gateway without a limit',
    at: ['HttpApiStage', 'Properties', 'DefaultRouteSettings', 'ThrottlingRateLimit'],
    becomes: ABSENT,
    found: 'the gateway lets through what it is meant for',
  },
  {
    fault: 'a log of tokens',
    at: ['HttpApiStage', 'Properties', 'AccessLogSettings', 'Format'],
    becomes: '{"token":"$context.authorizer.token"}',
    found: 'the gateway writes down each call, but no secret',
  },
  {
    fault: 'an open port',
    at: ['AdapterLoadBalancerSecurityGroup', 'Properties', 'SecurityGroupIngress', 0, 'FromPort'],
    becomes: 22,
    found: 'only a load balancer lets anybody in',
  },
  {
    fault: 'a listener with old ciphers',
    at: ['AdapterHttpsListener', 'Properties', 'SslPolicy'],
    becomes: 'ELBSecurityPolicy-2016-08',
    found: 'a listener speaks TLS, or says where that is spoken',
  },
  {
    fault: 'a wrong attribute name',
    at: ['RetryQueue', 'Properties', 'DelaySecond'],
    becomes: 5,
    found: 'specification',
  },
  { fault: 'a wrong type', at: ['RetryQueue', 'Properties', 'DelaySeconds'], becomes: 'soon', found: 'specification' },
  {
    fault: 'a resource that AWS does not have',
    at: ['AdapterCluster', 'Type'],
    becomes: 'AWS::ECS::Clusters',
    found: 'specification',
  },
  { fault: 'a missing property', at: ['HttpApiStage', 'Properties', 'ApiId'], becomes: ABSENT, found: 'specification' },
  {
    fault: 'a dangling reference',
    at: ['HttpApiStage', 'Properties', 'ApiId'],
    becomes: { Ref: 'OtherApi' },
    found: 'specification',
  },
  {
    fault: 'an attribute that a resource does not have',
    at: ['RetryEventEventSourceMappingSQSRetryQueue', 'Properties', 'EventSourceArn'],
    becomes: { 'Fn::GetAtt': ['RetryQueue', 'Arm'] },
    found: 'specification',
  },
  {
    fault: 'a condition that is not there',
    at: ['AdapterCluster', 'Condition'],
    becomes: 'Never',
    found: 'specification',
  },
  { fault: 'a wait for nothing', at: ['HttpApiStage', 'DependsOn'], becomes: 'OtherLogGroup', found: 'specification' },
]

describe('a fault in the template is found with the right cause', () => {
  it.each(FAULTS)('$fault', ({ at, becomes, found }) => {
    const template = structuredClone(templateOf('prod'))
    change(template.Resources, at, becomes)
    const rules = brokenIn(template, 'prod').map(({ rule }) => rule)
    const specification = misspecified(template).map(() => 'specification')
    expect(new Set([...rules, ...specification])).toEqual(new Set([found].flat()))
  })

  it('each rule has a fault', () => {
    const found: readonly string[] = FAULTS.flatMap((fault) => fault.found)
    expect(Object.keys(RULES).filter((rule) => !found.includes(rule))).toEqual([])
  })
})

function change(value: object, [key = '', ...path]: Path, becomes: unknown): void {
  const target = value as Record<string | number, unknown>
  if (path.length > 0) change(target[key] as object, path, becomes)
  else if (becomes === ABSENT) delete target[key]
  else target[key] = becomes
}
