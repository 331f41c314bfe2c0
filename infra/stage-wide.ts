import * as z from 'zod/mini'
import type { Network } from '../lib/config.ts'
import type { StackTemplate } from './deliver/nested.ts'
import { DEPLOYMENT } from './shift.ts'
import type { StageValues } from './stages.ts'

/** The folders of functions that a caller waits for, and all. */
const CALLED = ['api', 'console', 'docs', 'fallback', 'login', 'webhooks'] as const
const FOLDERS = [...CALLED, 'jobs'] as const

/** What serverless.yml says of a function without a line of its own. */
const STANDARD = { MemorySize: 512, Timeout: 10 }

const matching = (form: RegExp) => z.string().check(z.regex(form))
const wholeNumber = (least: number, most: number) => z.int().check(z.gte(least), z.lte(most))
const idsOf = (kind: string) => z.array(matching(new RegExp(`^${kind}-[0-9a-f]{8,17}$`))).check(z.minLength(1))

/**
 * What the file of a stage sets on all resources of a kind, and the rule for it, in words and as a schema. Bounds: IAM, Lambda and
 * tagging API references; API Gateway ends a call after 30 seconds.
 */
const WIDE = {
  permissionsBoundary: [
    'the ARN of a policy of IAM',
    matching(/^arn:aws[\w-]*:iam::(?:\d{12}|aws):policy\/[\w+=,.@/-]+$/),
  ],
  rolePath: ['a path such as /team/', matching(/^\/(?:[\w+=,.@-]{1,64}\/){1,7}$/)],
  tags: [
    'at most 40 names of up to 128 characters, not beginning with aws:, with texts of up to 256, both of letters, digits, blanks and _.:/=+-@',
    z
      .record(
        matching(/^(?!aws:)[\p{L}\p{Z}\p{N}_.:/=+\-@]{1,128}$/iu),
        matching(/^[\p{L}\p{Z}\p{N}_.:/=+\-@]{0,256}$/u),
      )
      .check(z.refine((tags) => Object.keys(tags).length <= 40)),
  ],
  kmsKeyArn: ['the ARN of a key of KMS', matching(/^arn:aws[\w-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/)],
  reservedConcurrency: ['a whole number from 1 to 1000', wholeNumber(1, 1000)],
  memoryMegabytes: [
    `whole numbers from 128 to 10240 by folder of functions: ${FOLDERS.join(', ')}`,
    z.partialRecord(z.enum(FOLDERS), wholeNumber(128, 10_240)),
  ],
  timeoutSeconds: [
    `whole numbers from 3 to 29 by folder of functions: ${CALLED.join(', ')}`,
    z.partialRecord(z.enum(CALLED), wholeNumber(3, 29)),
  ],
  network: [
    'subnetIds and securityGroupIds, a list of ids each',
    z.strictObject({ subnetIds: idsOf('subnet'), securityGroupIds: idsOf('sg') }),
  ],
  deployment: [
    'all-at-once, or a configuration of CodeDeploy such as canary10Percent5Minutes or linear10PercentEvery1Minute',
    matching(DEPLOYMENT),
  ],
} as const

/** As a stage's parameters have them; those that are not set are absent. */
type Wide = { readonly [Name in keyof typeof WIDE]?: z.infer<(typeof WIDE)[Name][1]> }

function given(parameters: StageValues): Wide {
  const isEmpty = (value: unknown) =>
    value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)
  return Object.fromEntries(
    Object.keys(WIDE).flatMap((name) => (isEmpty(parameters[name] ?? '') ? [] : [[name, parameters[name]]])),
  )
}

/** @returns the errors in them; empty if they can be deployed */
export function wrongWide(parameters: StageValues): readonly string[] {
  return Object.entries(given(parameters)).flatMap(([name, value]) => {
    const [rule, schema] = WIDE[name as keyof typeof WIDE]
    const { success, error } = z.safeParse(schema, value)
    if (success) return []
    const [{ path } = { path: [] }] = error.issues
    return [`${[name, ...path].join('.')}: ${name} must be ${rule}`]
  })
}

/** The network of destinations and handlers that name none. */
export function stageNetwork(parameters: StageValues): Network | undefined {
  return given(parameters).network
}

type Properties = Readonly<Record<string, unknown>>

/** The template with what the stage sets on all resources of a kind; a second time it changes nothing. */
export function withWide(template: StackTemplate, parameters: StageValues): StackTemplate {
  const wanted = given(parameters)
  const all = Object.entries(template.Resources).map(([id, resource]) => {
    const { Type: type, Properties: properties = {} } = resource
    const changed = { ...properties, ...BY_TYPE[type]?.(wanted, properties), ...tagged(type, wanted, properties) }
    return [id, Object.keys(changed).length > 0 ? { ...resource, Properties: changed } : resource] as const
  })
  return { ...template, Resources: Object.fromEntries(all) }
}

const BY_TYPE: Readonly<Record<string, (wanted: Wide, properties: Properties) => Properties>> = {
  'AWS::IAM::Role': ({ permissionsBoundary, rolePath, kmsKeyArn }, { Policies: policies = [] }) => {
    const own = (policies as object[]).filter((one) => !isKeyPolicy(one))
    return {
      ...(permissionsBoundary && { PermissionsBoundary: permissionsBoundary }),
      ...(rolePath && { Path: rolePath }),
      ...(kmsKeyArn && usesKey(own) && { Policies: [...own, keyPolicy(kmsKeyArn)] }),
    }
  },
  'AWS::Lambda::Function': ({ reservedConcurrency, memoryMegabytes = {}, timeoutSeconds = {} }, properties) => {
    const [, folder = ''] = String(properties['Handler']).split('/')
    return {
      ...(reservedConcurrency && folder === 'webhooks' && { ReservedConcurrentExecutions: reservedConcurrency }),
      ...atLeast('MemorySize', properties, new Map(Object.entries(memoryMegabytes)).get(folder)),
      ...atLeast('Timeout', properties, new Map(Object.entries(timeoutSeconds)).get(folder)),
    }
  },
  'AWS::DynamoDB::Table': ({ kmsKeyArn }) =>
    kmsKeyArn ? { SSESpecification: { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: kmsKeyArn } } : {},
  'AWS::SQS::Queue': ({ kmsKeyArn }) => (kmsKeyArn ? { KmsMasterKeyId: kmsKeyArn, SqsManagedSseEnabled: false } : {}),
  'AWS::Logs::LogGroup': ({ kmsKeyArn }) => (kmsKeyArn ? { KmsKeyId: kmsKeyArn } : {}),
}

/** A function that needs more than the others of its folder, as the check of a password does, keeps what it has. */
function atLeast(name: keyof typeof STANDARD, properties: Properties, wanted: number | undefined): Properties {
  if (wanted === undefined) return {}
  const own = Number(properties[name])
  return { [name]: own === STANDARD[name] ? wanted : Math.max(own, wanted) }
}

const KEY_POLICY = 'key'

const WITH_KEY = ['dynamodb', 'secretsmanager', 'sqs']

/** Whether a role reaches what the key encrypts. */
function usesKey(policies: readonly object[]): boolean {
  return WITH_KEY.some((service) => JSON.stringify(policies).includes(`"${service}:`))
}

function isKeyPolicy(policy: object): boolean {
  return 'PolicyName' in policy && policy.PolicyName === KEY_POLICY
}

/** What DynamoDB, SQS and Secrets Manager do with the key in the name of a function (their developer guides, "customer managed key"). */
function keyPolicy(key: string) {
  const actions = ['Decrypt', 'DescribeKey', 'Encrypt', 'GenerateDataKey', 'ReEncryptFrom', 'ReEncryptTo']
  const services = WITH_KEY.map((name) => ({
    'Fn::Sub': `${name}.\${AWS::Region}.amazonaws.com`,
  }))
  const Statement = [
    {
      ...{ Effect: 'Allow', Action: actions.map((action) => `kms:${action}`), Resource: [key] },
      Condition: { StringEquals: { 'kms:ViaService': services } },
    },
  ]
  return { PolicyName: KEY_POLICY, PolicyDocument: { Version: '2012-10-17', Statement } }
}

/** The types of a stack's resources that take tags as a list; those of the HTTP API take an object. */
const TAGGED = [
  'ApplicationAutoScaling::ScalableTarget',
  'CloudFormation::Stack',
  'CloudFront::Distribution',
  'CloudWatch::Alarm',
  'CloudWatch::Dashboard',
  'CodeDeploy::Application',
  'CodeDeploy::DeploymentGroup',
  'DynamoDB::Table',
  'EC2::SecurityGroup',
  'ECS::Cluster',
  'ECS::Service',
  'ECS::TaskDefinition',
  'ElasticLoadBalancingV2::Listener',
  'ElasticLoadBalancingV2::ListenerRule',
  'ElasticLoadBalancingV2::LoadBalancer',
  'ElasticLoadBalancingV2::TargetGroup',
  'Events::Rule',
  'IAM::Role',
  'Lambda::EventSourceMapping',
  'Lambda::Function',
  'Logs::LogGroup',
  'S3::Bucket',
  'SQS::Queue',
].map((type) => `AWS::${type}`)
const TAGGED_BY_OBJECT = ['Api', 'DomainName', 'Stage'].map((type) => `AWS::ApiGatewayV2::${type}`)

interface Tag {
  readonly Key: string
  readonly Value: unknown
}

function tagged(type: string, { tags }: Wide, { Tags: own }: Properties): Properties {
  if (tags === undefined) return {}
  if (TAGGED_BY_OBJECT.includes(type)) return { Tags: { ...(own as object), ...tags } }
  if (!TAGGED.includes(type)) return {}
  const all = new Map((own as readonly Tag[] | undefined)?.map(({ Key, Value }) => [Key, Value]))
  for (const [name, text] of Object.entries(tags)) all.set(name, text)
  return { Tags: Array.from(all, ([Key, Value]) => ({ Key, Value })) }
}
