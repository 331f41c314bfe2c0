import type { Grants } from '../../lib/contract/grants.ts'
import type { StageRight } from '../../lib/deliver/destination.ts'
import { type LoggingFunction, logGroupOf, type NamedService } from '../logs.ts'
import { logicalIdOf } from '../names.ts'

/** The part of the deployment engine with the functions of serverless.yml and the resources of its stack. */
export interface RolesEngine {
  readonly service: NamedService & {
    readonly resources: { readonly Resources: Record<string, unknown> }
    readonly functions: Readonly<Record<string, LoggingFunction & { role?: string }>>
  }
}

/**
 * Gives each function a role of its own, and adds the roles to the resources of the stack.
 * @param grants as `grants.ts` has them
 * @param rights those that the team's configuration adds for its own code
 * @throws Error naming the functions that have no row there
 */
export function addRoles(
  { service }: RolesEngine,
  grants: Readonly<Record<string, readonly Grants[]>>,
  rights: Readonly<Record<string, readonly StageRight[]>> = {},
): void {
  const missing = Object.keys(service.functions).filter((name) => !Object.hasOwn(grants, name))
  if (missing.length > 0)
    throw new Error(`No endpoint and no row of infra/iam/grants.ts says what these may do: ${missing.join(', ')}`)
  for (const [name, declared] of Object.entries(service.functions)) {
    declared.role = `${logicalIdOf(name)}Role`
    service.resources.Resources[declared.role] = roleOf({
      secrets: String(service.provider.environment['SECRETS_PREFIX']),
      logGroup: logGroupOf(declared, service).name,
      grants: grants[name] ?? [],
      rights: rights[name] ?? [],
    })
  }
}

interface Statement {
  readonly Effect: 'Allow' | 'Deny'
  readonly Action: readonly string[]
  readonly Resource: unknown
  readonly Condition?: object
}

interface RoleParts {
  /** The name of the log group that the function writes to, the only one. */
  readonly logGroup: string
  /** The prefix of the secrets' names. */
  readonly secrets: string
  readonly grants: readonly Grants[]
  /** The rights that the team's configuration adds. */
  readonly rights?: readonly StageRight[]
}

/** The role of one function, as a CloudFormation resource. */
export function roleOf({ logGroup, secrets, grants, rights = [] }: RoleParts) {
  return {
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
      },
      Policies: [
        {
          PolicyName: 'function',
          PolicyDocument: {
            Version: '2012-10-17',
            Statement: [
              ...ownStatements(logGroup),
              ...statementsOf(grants, secrets),
              ...rights.map(givenStatement),
              ...trailStatements(grants),
            ],
          },
        },
      ],
    },
  }
}

function ownStatements(logGroup: string): readonly Statement[] {
  return [
    {
      Effect: 'Allow',
      Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      Resource: [
        { 'Fn::Sub': `arn:\${AWS::Partition}:logs:\${AWS::Region}:\${AWS::AccountId}:log-group:${logGroup}:*` },
      ],
    },
    // Traces are not tied to a resource.
    { Effect: 'Allow', Action: ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'], Resource: '*' },
  ]
}

/** Who adds to the audit trail can neither change nor delete a row, whatever other policies say. */
function trailStatements(grants: readonly Grants[]): readonly Statement[] {
  if (!grants.some(({ AuditTable: actions }) => actions?.some((action) => action.startsWith('PutItem')))) return []
  return [{ Effect: 'Deny', Action: TRAIL_CHANGES, Resource: [attribute('AuditTable')] }]
}

const TRAIL_CHANGES = [
  'dynamodb:BatchWriteItem',
  'dynamodb:DeleteItem',
  'dynamodb:PartiQLDelete',
  'dynamodb:PartiQLInsert',
  'dynamodb:PartiQLUpdate',
  'dynamodb:UpdateItem',
]

function givenStatement({ actions, resources }: StageRight): Statement {
  const arnOf = (one: StageRight['resources'][number]) => (typeof one === 'string' ? one : attribute(one.team))
  return { Effect: 'Allow', Action: actions, Resource: resources.map(arnOf) }
}

/** One statement per resource, and one more for each action that is limited to some attributes. */
export function statementsOf(grants: readonly Grants[], secrets = ''): readonly Statement[] {
  const actions = new Map<string, ReadonlySet<string>>()
  for (const [resource, names = []] of grants.flatMap((grant) => Object.entries(grant))) {
    actions.set(resource, new Set([...(actions.get(resource) ?? []), ...names]))
  }
  return Array.from(actions).flatMap(([place, names]) => {
    const [resource = '', partition] = place.split('#')
    const { service, arn } = kindOf(resource)
    const Resource = [arn(resource, secrets)]
    const whole = [...names].filter((name) => !name.includes(':'))
    const parts = [...names].filter((name) => name.includes(':')).map((name) => name.split(':'))
    const held = Map.groupBy(
      parts.filter(([action = '']) => !whole.includes(action)),
      ([action = '']) => action,
    )
    return [
      ...(whole.length > 0
        ? [{ Effect: 'Allow' as const, Action: whole.map((name) => `${service}:${name}`).sort(), Resource }]
        : []),
      ...Array.from(held, ([name, pairs]) => ({
        Effect: 'Allow' as const,
        Action: [`${service}:${name}`],
        Resource,
        Condition: touchingOnly(
          [...keysOf(resource), ...pairs.map(([, attribute = '']) => attribute)],
          resource,
          partition,
        ),
      })),
    ]
  })
}

/**
 * A call that names, sets, compares or reads no other attributes. The key must be among them, and every attribute in a
 * condition of the write (DynamoDB developer guide, "Using IAM policy conditions for fine-grained access control").
 * @param partition the only partition key, if there is one
 */
function touchingOnly(attributes: readonly string[], table: string, partition?: string): object {
  return {
    'ForAllValues:StringLike': {
      'dynamodb:Attributes': [...new Set(attributes)].toSorted(),
      ...(partition && { 'dynamodb:LeadingKeys': [partition] }),
    },
    ...(IN_PARTS.includes(table) && {
      StringEqualsIfExists: {
        'dynamodb:ReturnValues': ['NONE', 'UPDATED_NEW', 'UPDATED_OLD'],
        'dynamodb:Select': ['SPECIFIC_ATTRIBUTES'],
      },
    }),
  }
}

/** Tables of credentials: who may touch some attributes of a row is not given the rest of it. */
const IN_PARTS = ['KeysTable', 'PasskeysTable', 'SessionsTable', 'UsersTable']

const TABLE_KEYS: Readonly<Record<string, readonly string[]>> = {
  AuditTable: ['id'],
  CountersTable: ['counter'],
  DeliveriesTable: ['destination', 'event'],
  EventsTable: ['eventId', 'source'],
  KeysTable: ['id', 'kind'],
  MessagesTable: ['id', 'slot'],
  OrdersTable: ['orderId'],
  PasskeysTable: ['uid'],
  PaymentsTable: ['transactionId'],
  RefusalsTable: ['cause', 'day'],
  ReplaysTable: ['replayId'],
  SessionsTable: ['sessionKey'],
  UsersTable: ['uid'],
}

function keysOf(table: string): readonly string[] {
  const keys = TABLE_KEYS[table]
  if (keys === undefined) throw new Error(`infra/iam/role.ts does not know the key of ${table}`)
  return keys
}

interface Kind {
  readonly form: RegExp
  readonly service: string
  readonly arn: (resource: string, secrets: string) => unknown
}

/** The ARN of a resource of the stack, or of an index of a table. */
function attribute(resource: string): object {
  return resource.includes('/')
    ? { 'Fn::Sub': resource.replace(/^\w+/, '${$&.Arn}') }
    : { 'Fn::GetAtt': [resource, 'Arn'] }
}

const SECRET = 'arn:${AWS::Partition}:secretsmanager:${AWS::Region}:${AWS::AccountId}:secret'

const KINDS: readonly Kind[] = [
  // Before the others: the owner of a resource chooses the end of its ARN.
  { form: /^arn:[\w-]+:sqs:/, service: 'sqs', arn: (resource) => resource },
  { form: /^arn:[\w-]+:events:/, service: 'events', arn: (resource) => resource },
  { form: /Table(?:\/index\/|$)/, service: 'dynamodb', arn: attribute },
  { form: /Queue$/, service: 'sqs', arn: attribute },
  {
    form: /^secret\//,
    service: 'secretsmanager',
    // Secrets Manager appends six characters to a name (Secrets Manager user guide, "Secret ARNs").
    arn: (resource, secrets) => ({
      'Fn::Sub': `${SECRET}:${secrets}/${resource.replace('secret/', '')}-??????`,
    }),
  },
]

/** @throws Error for a resource of an unknown kind */
function kindOf(resource: string): Kind {
  const kind = KINDS.find(({ form }) => form.test(resource))
  if (!kind) throw new Error(`no ARN is known for ${resource}`)
  return kind
}
