import type { Node } from 'typescript/unstable/ast'
import {
  isCallExpression,
  isFunctionDeclaration,
  isIdentifier,
  isNewExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
} from 'typescript/unstable/ast/is'
import type { Calls } from '../../test/support/allowed.ts'
import type { Code, ReachedCode } from './reachable-code.ts'

/** What AWS wants a right for, by how the adapters ask for it. A transaction needs the rights of its parts. */
const ACTIONS: Readonly<Record<string, string | undefined>> = {
  BatchGetCommand: 'dynamodb:BatchGetItem',
  BatchWriteCommand: 'dynamodb:BatchWriteItem',
  ConditionCheck: 'dynamodb:ConditionCheckItem',
  Delete: 'dynamodb:DeleteItem',
  DeleteCommand: 'dynamodb:DeleteItem',
  GetCommand: 'dynamodb:GetItem',
  Put: 'dynamodb:PutItem',
  PutCommand: 'dynamodb:PutItem',
  QueryCommand: 'dynamodb:Query',
  ScanCommand: 'dynamodb:Scan',
  Update: 'dynamodb:UpdateItem',
  UpdateCommand: 'dynamodb:UpdateItem',
  putIf: 'dynamodb:PutItem',
  putOneTime: 'dynamodb:PutItem',
  removeIf: 'dynamodb:DeleteItem',
  takeOneTime: 'dynamodb:DeleteItem',
  updateIf: 'dynamodb:UpdateItem',
  readNewest: 'dynamodb:Query',
  rowsAt: 'dynamodb:BatchGetItem',
  effectUpdate: 'dynamodb:UpdateItem',
  publishMessage: 'sns:Publish',
  SubscribeCommand: 'sns:Subscribe',
  UnsubscribeCommand: 'sns:Unsubscribe',
  paginateListSubscriptionsByTopic: 'sns:ListSubscriptionsByTopic',
  CreateQueueCommand: 'sqs:CreateQueue',
  DeleteMessageBatchCommand: 'sqs:DeleteMessage',
  DeleteQueueCommand: 'sqs:DeleteQueue',
  ListQueueTagsCommand: 'sqs:ListQueueTags',
  ReceiveMessageCommand: 'sqs:ReceiveMessage',
  SendMessageCommand: 'sqs:SendMessage',
  TagQueueCommand: 'sqs:TagQueue',
  paginateListQueues: 'sqs:ListQueues',
}

/** The same of requests that are signed here, by what they are sent to as. */
const TARGETS: Readonly<Record<string, string | undefined>> = {
  'AmazonSQS.GetQueueAttributes': 'sqs:GetQueueAttributes',
  'AmazonSQS.SendMessage': 'sqs:SendMessage',
  'AWSEvents.PutEvents': 'events:PutEvents',
  'Logs_20140328.CreateLogStream': 'logs:CreateLogStream',
  'Logs_20140328.FilterLogEvents': 'logs:FilterLogEvents',
  'Logs_20140328.PutLogEvents': 'logs:PutLogEvents',
}

/** Every secret is read by this function of lib/app/secrets.ts, by its name. */
const READ_SECRET = { name: 'secretConfig', action: 'secretsmanager:GetSecretValue' }

/** How the SDK names what it asks of AWS. */
const COMMAND = /Command$|^paginate/

/** What AWS ties to no resource (Service Authorization Reference). */
const UNBOUND: readonly string[] = ['sns:Unsubscribe', 'sqs:ListQueues']

const ADAPTERS = 'lib/adapters/'

/** What these make or send is of the others; such a call counts where it is made. */
const SHARED: readonly string[] = [
  'dynamodb/conditional.ts',
  'dynamodb/effect-update.ts',
  'dynamodb/one-time-row.ts',
  'dynamodb/rows-at.ts',
  'dynamodb/sharded-index.ts',
  'fan-out/engine.ts',
]

/** What each adapter works on: always the same, or by the factory that made it. */
const SUBJECTS: Readonly<Record<string, readonly string[] | Readonly<Record<string, string>>>> = {
  'dynamodb/aged-events.ts': ['EventsTable'],
  'dynamodb/batch-items.ts': ['EventsTable'],
  'dynamodb/challenge-store.ts': ['SessionsTable'],
  'dynamodb/change-reader.ts': ['EventsTable'],
  'dynamodb/changed-rows.ts': { dynamoPayments: 'PaymentsTable', dynamoOrders: 'OrdersTable' },
  'dynamodb/counted-events.ts': ['EventsTable'],
  'dynamodb/counter-store.ts': ['CountersTable'],
  'dynamodb/delivery-desk.ts': ['DeliveriesTable'],
  'dynamodb/delivery-item.ts': ['DeliveriesTable'],
  'dynamodb/delivery-rewrite.ts': ['DeliveriesTable'],
  'dynamodb/delivery-rows.ts': ['DeliveriesTable'],
  'dynamodb/delivery-store.ts': ['DeliveriesTable'],
  'dynamodb/due-deliveries.ts': ['DeliveriesTable'],
  'dynamodb/due-events.ts': ['EventsTable'],
  'dynamodb/event-deliveries.ts': ['DeliveriesTable'],
  'dynamodb/event-list.ts': ['EventsTable'],
  'dynamodb/event-query.ts': ['EventsTable'],
  'dynamodb/event-reader.ts': ['EventsTable'],
  'dynamodb/event-store.ts': ['EventsTable'],
  'dynamodb/health-store.ts': ['DeliveriesTable'],
  'dynamodb/heard-list.ts': ['RefusalsTable'],
  'dynamodb/heard-store.ts': ['RefusalsTable'],
  'dynamodb/key-administration.ts': ['KeysTable'],
  'dynamodb/key-reader.ts': ['KeysTable'],
  'dynamodb/operator-store.ts': ['EventsTable'],
  'dynamodb/order-write.ts': ['OrdersTable'],
  'dynamodb/passkey-store.ts': ['PasskeysTable'],
  'dynamodb/payload-store.ts': ['EventsTable'],
  'dynamodb/payment-write.ts': ['PaymentsTable'],
  'dynamodb/rate-counter.ts': ['CountersTable'],
  'dynamodb/refusal-list.ts': ['RefusalsTable'],
  'dynamodb/refusal-store.ts': ['RefusalsTable'],
  'dynamodb/replay-list.ts': ['ReplaysTable'],
  'dynamodb/replay-store.ts': ['ReplaysTable'],
  'dynamodb/retry-store.ts': ['EventsTable'],
  'dynamodb/session-store.ts': ['SessionsTable'],
  'dynamodb/stored-body.ts': ['EventsTable'],
  'dynamodb/ticket-store.ts': ['SessionsTable'],
  'dynamodb/trail-heads.ts': ['AuditTable'],
  'dynamodb/user-administration.ts': ['UsersTable'],
  'dynamodb/user-list.ts': ['UsersTable'],
  'dynamodb/account-sessions.ts': ['SessionsTable'],
  'dynamodb/login-ends.ts': ['UsersTable'],
  'dynamodb/user-store.ts': ['UsersTable'],
  'eventbridge/carrier.ts': ['DestinationBus'],
  'fan-out/broadcast.ts': ['MessagesTopic'],
  'fan-out/publish.ts': ['MessagesTopic'],
  'fan-out/queue.ts': ['InstanceQueues'],
  'fan-out/subscriptions.ts': ['EventsTopic', 'MessagesTopic'],
  'logs/trail-reader.ts': ['AuditLogGroup'],
  'logs/trail-sink.ts': ['AuditLogGroup'],
  'sns/change-feed.ts': ['EventsTopic'],
  'sqs/carrier.ts': ['DestinationQueue'],
  'sqs/delivery-queue.ts': ['DeliveryQueues'],
  'sqs/queue-depth.ts': ['RetryQueue'],
  'sqs/retry-queue.ts': { sqsRetryQueue: 'RetryQueue', sqsReplayQueue: 'ReplayQueue' },
}

/** Whose queries are of the table, although others ask its index. */
const QUERIES_OF_TABLES: readonly string[] = ['dynamodb/delivery-rows.ts']

/** What queries the table and its index. */
const QUERIES_OF_BOTH: readonly string[] = ['dynamodb/aged-events.ts']

/** What the adapters in reached code ask of AWS. */
export function awsCallsOf(reached: readonly ReachedCode[], code: Pick<Code, 'textsOf'>): Calls {
  const adapters = reached.flatMap(({ file, ...piece }) =>
    file.startsWith(ADAPTERS) ? [{ ...piece, file: file.slice(ADAPTERS.length) }] : [],
  )
  const factories = adapters.flatMap(({ root }) => (isFunctionDeclaration(root) ? [root.name?.text ?? ''] : []))
  const found = adapters.flatMap(({ file, nodes }) => {
    const actions = SHARED.includes(file) ? [] : nodes.flatMap((node) => [...actionsIn(node), ...askedIn(node, code)])
    const indexes = nodes.flatMap((node) => indexesIn(node, code))
    return actions.length + indexes.length > 0
      ? subjectsOf(file, factories).map((subject) => ({ file, subject, actions, indexes }))
      : []
  })
  const calls = found.flatMap(({ file, subject, actions }) => {
    const asked = QUERIES_OF_TABLES.includes(file) ? [] : found.filter((other) => other.subject === subject)
    const indexes = asked.flatMap((other) => other.indexes)
    const besides = QUERIES_OF_BOTH.includes(file) ? [subject] : []
    return actions.flatMap((action) =>
      [...placesOf(action, subject, indexes), ...besides].map((place) => [place, action] as const),
    )
  })
  const secrets = reached.flatMap(({ nodes }) => nodes.flatMap((node) => secretsIn(node, code)))
  const reads = secrets.map((secret) => [`secret/${secret}`, READ_SECRET.action] as const)
  const byPlace = Map.groupBy([...calls, ...reads], ([place]) => place)
  return Object.fromEntries(
    Array.from(
      byPlace,
      ([place, made]) => [place, [...new Set(made.map(([, action]) => action))].sort()] as const,
    ).sort(),
  )
}

/** The commands in reached code, each with its file. */
export function commandsOf(reached: readonly ReachedCode[]): readonly string[] {
  return reached.flatMap(({ file, nodes }) =>
    nodes.map(askingName).flatMap((name) => (COMMAND.test(name) ? [`${file}: ${name}`] : [])),
  )
}

function secretsIn(node: Node, { textsOf }: Pick<Code, 'textsOf'>): readonly string[] {
  const [secret] = isCallExpression(node) && askingName(node) === READ_SECRET.name ? node.arguments : []
  return secret ? textsOf(secret) : []
}

/** A query is of an index, where the table has any that is asked. */
function placesOf(action: string, subject: string, indexes: readonly string[]): readonly string[] {
  if (UNBOUND.includes(action)) return ['*']
  if (action !== 'dynamodb:Query' || indexes.length === 0) return [subject]
  return indexes.map((index) => `${subject}/index/${index}`)
}

function subjectsOf(file: string, factories: readonly string[]): readonly string[] {
  const subjects = SUBJECTS[file]
  if (!subjects) throw new Error(`quality/call-graph/aws-calls.ts does not say what ${ADAPTERS}${file} works on`)
  if (Array.isArray(subjects)) return subjects
  return Object.entries(subjects).flatMap(([factory, subject]) => (factories.includes(factory) ? [subject] : []))
}

/** A command, a call of the shared functions, or a part of a transaction. */
function actionsIn(node: Node): readonly string[] {
  const name = askingName(node)
  const action = ACTIONS[name]
  if (action === undefined && COMMAND.test(name)) throw new Error(`no right is known that ${name} needs`)
  return action === undefined ? [] : [action]
}

/** What a signed request asks for. */
function askedIn(node: Node, { textsOf }: Pick<Code, 'textsOf'>): readonly string[] {
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return []
  const [target] = node.expression.name.text === 'ask' ? node.arguments : []
  return (target ? textsOf(target) : []).map((text) => TARGETS[text] ?? unknownTarget(text))
}

function unknownTarget(target: string): never {
  throw new Error(`no right is known that ${target} needs`)
}

/** The name of what is made or called, or of a property. */
function askingName(node: Node): string {
  const named =
    isNewExpression(node) || isCallExpression(node) ? node.expression : isPropertyAssignment(node) && node.name
  return named && isIdentifier(named) ? named.text : ''
}

function indexesIn(node: Node, { textsOf }: Pick<Code, 'textsOf'>): readonly string[] {
  const isIndex = isPropertyAssignment(node) && isIdentifier(node.name) && node.name.text === 'IndexName'
  return isIndex ? textsOf(node.initializer) : []
}
