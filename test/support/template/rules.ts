import { isDeepStrictEqual } from 'node:util'
import type { GrantTable } from '../../../infra/iam/grants.ts'
import { networkPolicy } from '../../../infra/iam/network.ts'
import { roleOf } from '../../../infra/iam/role.ts'
import { isOfDestinations } from '../../../infra/names.ts'
import { SECRETS } from '../../../lib/runtime/settings/secret-names.ts'
import { type Named, ofType, referencesIn, referredTo, type Template } from './template.ts'

interface Rule {
  readonly types: readonly string[]
  readonly holds: (resource: Named, template: Template, grants: GrantTable) => boolean
}

/** What every resource of some types has to be like; `P` is the part of their properties that the rule looks at. */
function each<P>(
  types: string | readonly string[],
  holds: (properties: P, resource: Named, template: Template, grants: GrantTable) => boolean,
): Rule {
  return {
    types: [types].flat(),
    holds: (resource, ...others) => holds(resource.Properties as P, resource, ...others),
  }
}

interface Statement {
  readonly Effect: string
  readonly Principal?: unknown
  readonly Action: string | readonly string[]
  readonly Resource?: unknown
  readonly Condition?: { readonly Bool?: Readonly<Record<string, unknown>> }
}

interface Policy {
  readonly PolicyName: string
  readonly PolicyDocument: { readonly Statement: readonly Statement[] }
}

interface FunctionProperties {
  readonly FunctionName: string
  readonly Handler: string
  readonly LoggingConfig?: { readonly LogGroup: string }
  readonly VpcConfig?: object
}

interface Role {
  readonly AssumeRolePolicyDocument: { readonly Statement: readonly Statement[] }
  readonly Policies: readonly Policy[]
}

/** What AWS ties to no resource (Service Authorization Reference), and what Lambda asks for on everything. */
const UNBOUND = [
  ...networkPolicy('').PolicyDocument.Statement.flatMap(({ Action }) => Action),
  // Whether CloudWatch looks at the names that are asked for is not documented.
  'cloudwatch:DescribeAlarms',
  'ecr:GetAuthorizationToken',
  'xray:PutTelemetryRecords',
  'xray:PutTraceSegments',
]

/**
 * Names that are not known yet: those of secrets, which AWS makes six characters longer, and of the streams of a log
 * group.
 */
const OPEN_NAME = /^arn:[^*?]+(-\?{6}|:log-group:[^*?]+:\*)$/

const LEAST_DAYS = 30
const MOST_SECONDS_BEHIND_GATEWAY = 29

const MOST_SECONDS_WITHOUT_CALLER = 60

/** The attribute by which all rows of a table run out; the ends of events and deliveries are in `expireAt`. */
const ALL_ROWS = 'ttl'
const HOUR = 60 * 60
const DEAD_LETTER_SECONDS = 14 * 24 * 60 * 60

/** What API Gateway may write down of a call: nothing that a caller can put a secret into but the path. */
const LOGGED = [
  'requestId',
  'requestTime',
  'identity.sourceIp',
  'httpMethod',
  'routeKey',
  'path',
  'status',
  'responseLength',
  'responseLatency',
  'integrationStatus',
  'integrationErrorMessage',
]

const TABLE = 'AWS::DynamoDB::Table'
const FUNCTION = 'AWS::Lambda::Function'
const QUEUE = 'AWS::SQS::Queue'
const BUCKET = 'AWS::S3::Bucket'
const STAGE = 'AWS::ApiGatewayV2::Stage'
const INTEGRATION = 'AWS::ApiGatewayV2::Integration'
const LOG = 'AWS::Logs::LogGroup'
const ALARM = 'AWS::CloudWatch::Alarm'

/** What an alarm has to look at, by the type of what it watches: its own numbers, or those of all of its kind. */
const WATCHED: Readonly<Record<string, { readonly metric: RegExp; readonly isOwn: boolean }>> = {
  [QUEUE]: { metric: /"ApproximateNumberOfMessagesVisible"/, isOwn: true },
  [FUNCTION]: { metric: /"Throttles"/, isOwn: false },
  [TABLE]: { metric: /\(ThrottledRequests\)/, isOwn: false },
  'AWS::ApiGatewayV2::Api': { metric: /"5xx".*?"Period":900\b/, isOwn: true },
  'AWS::ElasticLoadBalancingV2::TargetGroup': { metric: /"UnHealthyHostCount"/, isOwn: true },
  'AWS::Events::Rule': { metric: /"SampleCount"/, isOwn: false },
}

export const RULES = {
  'nothing is allowed on everything': each<{ Policies: readonly Policy[] }>(
    'AWS::IAM::Role',
    ({ Policies: policies }) => !policies.flatMap(({ PolicyDocument: { Statement: all } }) => all).some(isWildcard),
  ),
  'a function may do what its row says, and nothing else': each<FunctionProperties>(
    FUNCTION,
    ({ FunctionName: fullName, VpcConfig: network, LoggingConfig: log }, { name }, { Resources: resources }, all) => {
      const id = name.replace(/LambdaFunction$/, '')
      const [, service, stage, key = ''] = /^([^-]+)-(.+)-([^-]+)$/.exec(fullName) ?? []
      const grants = all[key] ?? []
      const wanted = roleOf({ logGroup: log?.LogGroup ?? '', secrets: `${service}/${stage}`, grants })
      const policies = [...wanted.Properties.Policies, ...(network ? [networkPolicy(fullName)] : [])]
      const { AssumeRolePolicyDocument, Policies: own = [] } = (resources[`${id}Role`]?.Properties ??
        {}) as Partial<Role>
      // That for the key of a stage is proven in test/deploy/stage-wide.test.ts.
      const role = { AssumeRolePolicyDocument, Policies: own.filter(({ PolicyName }) => PolicyName !== 'key') }
      return isDeepStrictEqual(role, { ...wanted.Properties, Policies: policies })
    },
  ),
  'a function has a role of its own': each<{ Role: unknown }>(
    FUNCTION,
    ({ Role: role }, { name }) => referredTo(role) === name.replace(/LambdaFunction$/, 'Role'),
  ),
  'a function follows or takes traces': each<{ TracingConfig?: { Mode: string } }>(
    FUNCTION,
    ({ TracingConfig: tracing }) => tracing?.Mode === 'Active' || tracing?.Mode === 'PassThrough',
  ),
  'a function ends before its caller gives up': each<{ Timeout?: number }>(
    FUNCTION,
    ({ Timeout: seconds = Number.POSITIVE_INFINITY }, { name }, template) =>
      seconds <= (isBehindGateway(name, template) ? MOST_SECONDS_BEHIND_GATEWAY : MOST_SECONDS_WITHOUT_CALLER),
  ),
  'a function writes the log of its folder, which the stack makes': each<FunctionProperties>(
    FUNCTION,
    ({ FunctionName: name, Handler: handler, LoggingConfig: log }, _, template) => {
      const [, service, stage] = /^([^-]+)-(.+)-[^-]+$/.exec(name) ?? []
      const [, folder] = handler.split('/')
      const names = ofType(template, LOG).map(({ Properties }) => Properties['LogGroupName'])
      return log?.LogGroup === `/${service}/${stage}/${folder}` && names.includes(log.LogGroup)
    },
  ),
  'a function is told no secret': each<{ Environment?: { Variables: Readonly<Record<string, unknown>> } }>(
    FUNCTION,
    ({ Environment: { Variables: variables } = { Variables: {} } }) =>
      !Object.keys(variables).some((name) => SECRET_SETTINGS.includes(name)) &&
      !JSON.stringify(variables).includes('{{resolve:'),
  ),
  'the gateway calls the functions of its routes, and nothing else': each<{ CredentialsArn?: unknown }>(
    INTEGRATION,
    ({ CredentialsArn: credentials }, _, template) => {
      const role = template.Resources[referredTo(credentials) ?? '']?.Properties as Partial<Role> | undefined
      const called = ofType(template, INTEGRATION).map(({ Properties }) => Properties['IntegrationUri'])
      return (
        isDeepStrictEqual(role?.AssumeRolePolicyDocument?.Statement, [
          { Effect: 'Allow', Principal: { Service: 'apigateway.amazonaws.com' }, Action: 'sts:AssumeRole' },
        ]) &&
        isDeepStrictEqual(
          role?.Policies?.flatMap(({ PolicyDocument: { Statement: statements } }) => statements),
          [{ Effect: 'Allow', Action: ['lambda:InvokeFunction'], Resource: called }],
        )
      )
    },
  ),
  'only the stack itself calls a function': each<{ SourceArn?: unknown }>(
    'AWS::Lambda::Permission',
    ({ SourceArn: source }) => referencesIn(source).some(({ name }) => !name.startsWith('AWS::')),
  ),
  'a log is kept long enough': each<{ RetentionInDays?: number }>(
    LOG,
    ({ RetentionInDays: days = 0 }) => days >= LEAST_DAYS,
  ),
  'a queue is encrypted': each<{ SqsManagedSseEnabled?: boolean; KmsMasterKeyId?: string }>(
    QUEUE,
    ({ SqsManagedSseEnabled: isManaged, KmsMasterKeyId: key }) => isManaged === true || key !== undefined,
  ),
  'a queue or bucket is reached over TLS only': each([QUEUE, BUCKET], (_, { name }, template) =>
    RESOURCE_POLICIES.flatMap((type) => ofType(template, type)).some(
      ({ Properties }) =>
        referencesIn(targetOf(Properties)).some((target) => target.name === name) && refusesPlain(Properties),
    ),
  ),
  'what a queue cannot get rid of is kept apart, unless the scan sends it again': each<Redriven>(
    QUEUE,
    ({ RedrivePolicy: redrive, MessageRetentionPeriod: seconds = 0 }, { name }, template) =>
      isOfDestinations(name)
        ? redrive === undefined && seconds === HOUR
        : isDeadLetterQueue(name, template)
          ? seconds === DEAD_LETTER_SECONDS
          : redrive !== undefined && redrive.maxReceiveCount <= 5 && referredTo(redrive.deadLetterTargetArn) !== name,
  ),
  'a message stays hidden for six runs of its function': each<{ EventSourceArn: unknown; FunctionName: unknown }>(
    'AWS::Lambda::EventSourceMapping',
    ({ EventSourceArn: queue, FunctionName: name }, _, template) =>
      numberOf(template, queue, 'VisibilityTimeout') >= 6 * numberOf(template, name, 'Timeout'),
  ),
  'what can fail has an alarm': each(
    Object.keys(WATCHED),
    (_, resource, template) =>
      (resource.Type === QUEUE && !isDeadLetterQueue(resource.name, template)) || isWatched(resource, template),
  ),
  'who sends to the queue that it reads may go in circles, and nobody else': each<{ RecursiveLoop?: string }>(
    FUNCTION,
    ({ RecursiveLoop: loop = 'Terminate' }, { name }, template) =>
      loop === (feedsItself(name, template) ? 'Allow' : 'Terminate'),
  ),
  'a circle of messages has an alarm': {
    types: ['AWS::Lambda::EventSourceMapping'],
    holds: (_, template) =>
      ofType(template, ALARM).some(({ Properties }) => JSON.stringify(Properties).includes('"LoopStopped"')),
  },
  'an alarm can tell somebody': each<{ AlarmActions?: object }>(
    ALARM,
    ({ AlarmActions: actions = {} }) => 'Fn::If' in actions,
  ),
  'an alarm knows what silence means': each<{ TreatMissingData?: string }>(
    ALARM,
    ({ TreatMissingData: silence = '' }) => ['breaching', 'notBreaching'].includes(silence),
  ),
  'a table is encrypted and paid for by the request': each<{
    SSESpecification?: { SSEEnabled: boolean }
    BillingMode?: string
  }>(
    TABLE,
    ({ SSESpecification: encryption, BillingMode: billing }) =>
      encryption?.SSEEnabled === true && billing === 'PAY_PER_REQUEST',
  ),
  'a table declares the attributes of its keys, and no others': each<
    Keyed & { AttributeDefinitions: readonly Attribute[]; GlobalSecondaryIndexes?: readonly Keyed[] }
  >(TABLE, ({ KeySchema: own, AttributeDefinitions: declared, GlobalSecondaryIndexes: indexes = [] }) => {
    const keys = [own, ...indexes.map(({ KeySchema: schema }) => schema)].flat()
    return isDeepStrictEqual(new Set(keys.map(attributeName)), new Set(declared.map(attributeName)))
  }),
  'what a table holds runs out, or can be restored': each<{
    TimeToLiveSpecification?: { AttributeName: string; Enabled: boolean }
    PointInTimeRecoverySpecification?: { PointInTimeRecoveryEnabled: boolean }
  }>(
    TABLE,
    ({ TimeToLiveSpecification: timeToLive, PointInTimeRecoverySpecification: recovery }) =>
      (timeToLive?.Enabled === true && timeToLive.AttributeName === ALL_ROWS) ||
      recovery?.PointInTimeRecoveryEnabled === true,
  ),
  'a table outlives its stack, unless its first deployment fails or its data is disposable': each(
    TABLE,
    (_, { DeletionPolicy: left, UpdateReplacePolicy: replaced }, { Metadata: made }) =>
      made?.Gatehouse.parameters['data'] === 'disposable' || (left === 'RetainExceptOnCreate' && replaced === 'Retain'),
  ),
  'no table is protected before its deployment has succeeded': each<{ DeletionProtectionEnabled?: unknown }>(
    TABLE,
    ({ DeletionProtectionEnabled: isProtected }) => isProtected === undefined,
  ),
  'a bucket is encrypted, and nobody else’s': each<{
    BucketEncryption?: unknown
    AccessControl?: string
    PublicAccessBlockConfiguration?: Readonly<Record<string, boolean>>
  }>(
    BUCKET,
    ({ BucketEncryption: encryption, AccessControl: access, PublicAccessBlockConfiguration: blocks = {} }) =>
      encryption !== undefined && access === undefined && PUBLIC_ACCESS.every((name) => blocks[name] === true),
  ),
  'the gateway lets through what it is meant for': each<{ DefaultRouteSettings?: Readonly<Record<string, unknown>> }>(
    STAGE,
    ({ DefaultRouteSettings: settings = {} }) =>
      Number(settings['ThrottlingRateLimit']) > 0 && Number(settings['ThrottlingBurstLimit']) > 0,
  ),
  'the gateway writes down each call, but no secret': each<{ AccessLogSettings?: { Format: string } }>(
    STAGE,
    ({ AccessLogSettings: { Format: format } = { Format: '' } }) => {
      const logged = [...format.matchAll(/\$context\.([\w.]+)/g)].map(([, name = '']) => name)
      return logged.length > 0 && logged.every((name) => LOGGED.includes(name))
    },
  ),
  'only a load balancer lets anybody in': each<{ SecurityGroupIngress?: readonly Ingress[] }>(
    'AWS::EC2::SecurityGroup',
    ({ SecurityGroupIngress: ingress = [] }) =>
      ingress.every(({ CidrIp: from, FromPort: port }) => from === undefined || port === 443 || port === 80),
  ),
  'a listener speaks TLS, or says where that is spoken': each<Listener>(
    'AWS::ElasticLoadBalancingV2::Listener',
    ({ Protocol: protocol, SslPolicy: policy, DefaultActions: actions }) =>
      protocol === 'HTTPS' ? /TLS13/.test(policy ?? '') : actions.every(({ Type: type }) => type === 'redirect'),
  ),
} as const satisfies Readonly<Record<string, Rule>>

export type RuleName = keyof typeof RULES

/** Which resources break which rule. */
export function brokenRules(
  template: Template,
  grants: GrantTable,
): readonly { readonly rule: RuleName; readonly resource: string }[] {
  return Object.entries(RULES).flatMap(([rule, { types, holds }]) =>
    types
      .flatMap((type) => ofType(template, type))
      .filter((resource) => !holds(resource, template, grants))
      .map(({ name }) => ({ rule: rule as RuleName, resource: name })),
  )
}

interface Attribute {
  readonly AttributeName: string
}

interface Keyed {
  readonly KeySchema: readonly Attribute[]
}

interface Redriven {
  readonly RedrivePolicy?: { readonly deadLetterTargetArn: unknown; readonly maxReceiveCount: number }
  readonly MessageRetentionPeriod?: number
}

interface Ingress {
  readonly CidrIp?: string
  readonly FromPort: number
}

interface Listener {
  readonly Protocol: string
  readonly SslPolicy?: string
  readonly DefaultActions: readonly { readonly Type: string }[]
}

const SECRET_SETTINGS: readonly string[] = Object.values(SECRETS).flat()

const RESOURCE_POLICIES = ['AWS::SQS::QueuePolicy', 'AWS::S3::BucketPolicy']

const PUBLIC_ACCESS = ['BlockPublicAcls', 'BlockPublicPolicy', 'IgnorePublicAcls', 'RestrictPublicBuckets']

function attributeName({ AttributeName: name }: Attribute): string {
  return name
}

function isWildcard({ Effect: effect, Action: action, Resource: resource }: Statement): boolean {
  if (effect !== 'Allow') return false
  const actions = [action].flat()
  const arns = [resource].flat().map((arn) => (typeof arn === 'string' ? arn : substitutedText(arn)))
  const isOpen = arns.some((arn) => /[*?]/.test(arn) && !OPEN_NAME.test(arn))
  return actions.some((name) => name.includes('*')) || (isOpen && !actions.every((name) => UNBOUND.includes(name)))
}

function substitutedText(arn: unknown): string {
  return String((arn as { 'Fn::Sub'?: string } | undefined)?.['Fn::Sub'] ?? '')
}

function targetOf({ Queues, Bucket }: Readonly<Record<string, unknown>>): unknown {
  return [Queues, Bucket]
}

function refusesPlain(properties: Readonly<Record<string, unknown>>): boolean {
  const { Statement: statements } = (properties as unknown as Policy).PolicyDocument
  return statements.some(
    ({ Effect: effect, Principal: who, Condition: when }) =>
      effect === 'Deny' && who === '*' && String(when?.Bool?.['aws:SecureTransport']) === 'false',
  )
}

function isDeadLetterQueue(name: string, template: Template): boolean {
  const policies = ofType(template, QUEUE).map(({ Properties }) => (Properties as Redriven).RedrivePolicy)
  return policies.some((redrive) => redrive !== undefined && referredTo(redrive.deadLetterTargetArn) === name)
}

/** Whether a function reads a queue to which its role lets it send. */
function feedsItself(name: string, template: Template): boolean {
  const read = ofType(template, 'AWS::Lambda::EventSourceMapping')
    .filter(({ Properties }) => referencesIn(Properties['FunctionName']).some((named) => named.name === name))
    .map(({ Properties }) => referredTo(Properties['EventSourceArn']))
  const role = template.Resources[name.replace(/LambdaFunction$/, 'Role')]
  const policies = (role?.Properties['Policies'] ?? []) as readonly Policy[]
  return policies
    .flatMap(({ PolicyDocument: { Statement: statements } }) => statements)
    .filter(({ Action: actions }) => [actions].flat().includes('sqs:SendMessage'))
    .some(({ Resource: resource }) => referencesIn(resource).some((queue) => read.includes(queue.name)))
}

function isWatched({ Type: type, name }: Named, template: Template): boolean {
  const { metric, isOwn } = WATCHED[type] ?? { metric: /^$/, isOwn: true }
  return ofType(template, ALARM).some(
    ({ Properties }) =>
      metric.test(JSON.stringify(Properties)) &&
      (!isOwn || referencesIn(Properties).some((reference) => reference.name === name)),
  )
}

function isBehindGateway(name: string, template: Template): boolean {
  const aliases = ofType(template, 'AWS::Lambda::Alias').filter(
    ({ Properties }) => referredTo(Properties['FunctionName']) === name,
  )
  const names = [name, ...aliases.map((alias) => alias.name)]
  return ofType(template, INTEGRATION).some(({ Properties }) =>
    referencesIn(Properties).some((reference) => names.includes(reference.name)),
  )
}

/** A number among the properties of the resource that something refers to. */
function numberOf({ Resources: resources }: Template, reference: unknown, property: string): number {
  return Number(resources[referredTo(reference) ?? '']?.Properties[property] ?? Number.NaN)
}
