import { createHash, randomUUID } from 'node:crypto'
import { env } from 'node:process'
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ResourceInUseException,
  type TableDescription,
  type TimeToLiveSpecification,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  PurgeQueueCommand,
  QueueNameExists,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { DynamoDBDocumentClient, GetCommand, ScanCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { dynamoUserStore, nameUid, userItems } from '../../lib/adapters/dynamodb/users.ts'
import { hashPassword } from '../../lib/auth/password.ts'
import type { Destination } from '../../lib/deliver/destination.ts'
import { isRole } from '../../lib/users/role.ts'
import { userKey } from '../../lib/users/user.ts'
import { type PasswordUser, passwordUsers } from '../users.ts'

export interface Resource {
  readonly Type: string
  readonly Properties?: Properties
}

/** The resource types that exist locally; others (roles, alarms) have no meaning here. */
function providersByType(): Readonly<Record<string, ResourceProvider>> {
  return {
    'AWS::DynamoDB::Table': tableProvider(new DynamoDBClient()),
    'AWS::SQS::Queue': queueProvider(
      new SQSClient({ useQueueUrlAsEndpoint: false }),
      env['AWS_ENDPOINT_URL_SQS'] ?? '',
    ),
  }
}

/**
 * Creates the resources of a CloudFormation template at the configured endpoints, each after those that it refers to.
 */
export function localResources(
  resources: Readonly<Record<string, Resource>>,
  providers: Readonly<Record<string, ResourceProvider>> = providersByType(),
) {
  const provided = new Map<string, Promise<ResourceAttributes>>()

  /** The CloudFormation functions that the templates use. */
  const intrinsics: Readonly<Record<string, (argument: unknown) => Promise<unknown>>> = {
    Ref: async (name) => (await attributesOf(String(name))).Ref,
    'Fn::GetAtt': async (argument) => {
      const [name = '', attribute = ''] = Array.isArray(argument) ? argument : String(argument).split('.')
      const attributes: Readonly<Record<string, string>> = await attributesOf(name)
      return attributes[attribute] ?? unknown(`${name}.${attribute}`)
    },
    // A local run has every part that a stage can switch on.
    'Fn::If': async (argument) => resolve((argument as readonly unknown[])[1]),
  }

  function attributesOf(name: string): Promise<ResourceAttributes> {
    const attributes = provided.get(name) ?? provide(name)
    provided.set(name, attributes)
    return attributes
  }

  async function provide(name: string): Promise<ResourceAttributes> {
    const { Type: type = '', Properties: properties = {} } = resources[name] ?? {}
    const provider = providers[type] ?? unknown(name)
    return provider(await resolveEach(properties))
  }

  async function resolve(value: unknown): Promise<unknown> {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return Promise.all(value.map(resolve))
    const [[key = '', argument] = [], ...others] = Object.entries(value)
    const intrinsic = others.length === 0 ? intrinsics[key] : undefined
    return intrinsic ? intrinsic(argument) : resolveEach(value)
  }

  async function resolveEach(values: object): Promise<Properties> {
    const entries = Object.entries(values).map(async ([name, value]) => [name, await resolve(value)] as const)
    return Object.fromEntries(await Promise.all(entries))
  }

  return {
    /** Creates every resource that exists locally and returns their attributes. */
    async provideAll(): Promise<ReadonlyMap<string, ResourceAttributes>> {
      const names = Object.keys(resources).filter((name) => Object.hasOwn(providers, resources[name]?.Type ?? ''))
      return new Map(await Promise.all(names.map(async (name) => [name, await attributesOf(name)] as const)))
    },
    /** Replaces references by their values. */
    resolve,
    resolveEach,
  }
}

function unknown(name: string): never {
  throw new Error(`${name} does not exist locally`)
}

export type Properties = Readonly<Record<string, unknown>>

/** The attributes of a resource for references: its `Ref`, and those for `Fn::GetAtt`. */
export type ResourceAttributes = Readonly<Record<'Ref' | 'Arn', string>>

/** Creates the resource unless it exists. */
export type ResourceProvider = (properties: Properties) => Promise<ResourceAttributes>

/** The members of CreateTable and the further ones of AWS::DynamoDB::Table; they have the same names and shapes. */
type TableProperties = CreateTableCommandInput & {
  readonly TableName: string
  readonly TimeToLiveSpecification?: TimeToLiveSpecification
  readonly PointInTimeRecoverySpecification?: unknown
}

/** Creates tables; leaves out backups, encryption and protection, because no emulator has them. */
export function tableProvider(client: DynamoDBClient): ResourceProvider {
  return async (properties: Properties) => {
    const {
      TimeToLiveSpecification: timeToLive,
      PointInTimeRecoverySpecification: _backups,
      SSESpecification: _encryption,
      DeletionProtectionEnabled: _protection,
      ...table
    } = properties as unknown as TableProperties
    const description = await createTable(client, table)
    if (timeToLive) await expire(client, table.TableName, timeToLive)
    return { Ref: table.TableName, Arn: description?.TableArn ?? '' }
  }
}

async function createTable(client: DynamoDBClient, table: TableProperties): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new CreateTableCommand(table))).TableDescription
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error
    return (await client.send(new DescribeTableCommand({ TableName: table.TableName }))).Table
  }
}

/** UpdateTimeToLive fails if the setting already has that value. */
async function expire(client: DynamoDBClient, name: string, wanted: TimeToLiveSpecification): Promise<void> {
  const { TimeToLiveDescription: present } = await client.send(new DescribeTimeToLiveCommand({ TableName: name }))
  if (present?.TimeToLiveStatus === 'ENABLED') return
  await client.send(new UpdateTimeToLiveCommand({ TableName: name, TimeToLiveSpecification: wanted }))
}

/**
 * Creates queues; an existing queue with other attributes gets the wanted ones.
 * @param endpoint the address of all queues: an emulator's own queue URLs may name a host that does not resolve
 */
function queueProvider(client: SQSClient, endpoint: string): ResourceProvider {
  return async ({ QueueName: queueName, Tags: _tags, ...attributes }) => {
    const url = await createQueue(client, String(queueName), textsOf(attributes))
    const { Attributes: present } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['QueueArn'] }),
    )
    return { Ref: new URL(new URL(url).pathname, endpoint).href, Arn: present?.QueueArn ?? '' }
  }
}

async function createQueue(client: SQSClient, name: string, attributes: Record<string, string>): Promise<string> {
  try {
    const { QueueUrl: url = '' } = await client.send(
      new CreateQueueCommand({ QueueName: name, Attributes: attributes }),
    )
    return url
  } catch (error) {
    if (!(error instanceof QueueNameExists)) throw error
    const { QueueUrl: url = '' } = await client.send(new GetQueueUrlCommand({ QueueName: name }))
    await client.send(new SetQueueAttributesCommand({ QueueUrl: url, Attributes: attributes }))
    return url
  }
}

/** Deletes all messages of a queue, those under way, too. */
export async function emptyQueue(QueueUrl: string): Promise<void> {
  await new SQSClient({ useQueueUrlAsEndpoint: false }).send(new PurgeQueueCommand({ QueueUrl }))
}

/** CloudFormation has numbers, booleans and objects where the SQS API expects texts. */
function textsOf(attributes: object): Record<string, string> {
  const entries = Object.entries(attributes).map(([name, value]) => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ])
  return Object.fromEntries(entries)
}

/** The queues that destinations name, which a local run makes: their ARNs say how they are called. */
export function targetQueues(destinations: readonly Destination[]): Readonly<Record<string, Resource>> {
  const queues = destinations.flatMap(({ name, target }) =>
    target.to === 'sqs' ? [[`${name}-target`, queueNamed(target.queueArn.replace(/^.*:/, ''))] as const] : [],
  )
  return Object.fromEntries(queues)
}

function queueNamed(QueueName: string): Resource {
  const fifo = QueueName.endsWith('.fifo') ? { FifoQueue: true } : {}
  return { Type: 'AWS::SQS::Queue', Properties: { QueueName, ...fifo } }
}

/** Makes the users of a local run those that its database has, besides those that were created in it. */
export async function seedUsers(table: string): Promise<void> {
  const documents = DynamoDBDocumentClient.from(new DynamoDBClient())
  const users = passwordUsers().filter(({ store }) => store === 'jdbc')
  await Promise.all(users.map((user) => seedUser(documents, table, user)))
  await removeOthers(documents, table, new Set(users.map(({ username }) => userKey(username))))
}

/** Those of an earlier list. */
async function removeOthers(documents: DynamoDBDocumentClient, table: string, kept: ReadonlySet<unknown>) {
  const seeded = new ScanCommand({ TableName: table, FilterExpression: 'attribute_exists(seed)' })
  const { Items: rows = [] } = await documents.send(seeded)
  for (const { uid, name } of rows.filter((row) => !kept.has(userKey(row['name'])))) {
    const items = [{ uid }, { uid: nameUid(name) }]
    const TransactItems = items.map((Key) => ({ Delete: { TableName: table, Key } }))
    await documents.send(new TransactWriteCommand({ TransactItems }))
  }
}

async function seedUser(documents: DynamoDBDocumentClient, table: string, user: PasswordUser): Promise<void> {
  const { username, password, role, enabled = true } = user
  const known = await dynamoUserStore(documents, table).find(username)
  const id = known?.id ?? randomUUID()
  const seed = digestOf(user)
  const { Item: stored } = await documents.send(new GetCommand({ TableName: table, Key: { uid: id } }))
  if (stored?.['seed'] === seed) return
  const roles = [role].filter(isRole)
  const passwordHash = await hashPassword(password)
  const [item, ...others] = userItems({ id, username, passwordHash, roles, enabled, createdAt: new Date() })
  const puts = [{ ...item, seed }, ...others].map((put) => ({ Put: { TableName: table, Item: put } }))
  await documents.send(new TransactWriteCommand({ TransactItems: puts }))
}

/** Lets the next start detect an unchanged entry without the cost of a password hash. */
function digestOf(user: PasswordUser): string {
  return createHash('sha256').update(JSON.stringify(user)).digest('hex')
}
