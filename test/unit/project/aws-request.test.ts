import { expect, it } from 'vitest'
import { callsIn } from '../../support/calls/aws-request.ts'

const signedFor = (service: string) =>
  `AWS4-HMAC-SHA256 Credential=local/20261122/eu-central-1/${service}/aws4_request, SignedHeaders=host, Signature=0a`

const json = (service: string, target: string, input: object) =>
  callsIn({ authorization: signedFor(service), target, body: JSON.stringify(input) })

const dynamoDb = (action: string, input: object) => json('dynamodb', `DynamoDB_20120810.${action}`, input)
const sqs = (action: string, input: object) => json('sqs', `AmazonSQS.${action}`, input)
const sns = (fields: Record<string, string>) =>
  callsIn({ authorization: signedFor('sns'), target: '', body: new URLSearchParams(fields).toString() })

const QUEUES = 'http://127.0.0.1:9324/000000000000'
const TOPICS = 'arn:aws:sns:eu-central-1:000000000000'
const RETRY = `${QUEUES}/gatehouse-local-retry`
const OWN = `${QUEUES}/gatehouse-local-adapter-0b9e`
const OTHERS = `${QUEUES}/Ledger.fifo`
const BUS = 'arn:aws:events:eu-central-1:000000000000:event-bus/orders'
const EVENTS = `${TOPICS}:gatehouse-local-events`

const TRANSACTION = {
  TransactItems: [
    { ConditionCheck: { TableName: 'gatehouse-local-users' } },
    { Put: { TableName: 'gatehouse-local-events' } },
    { Update: { TableName: 'gatehouse-local-payments' } },
    { Delete: { TableName: 'gatehouse-local-users' } },
  ],
}

it.each([
  [
    'a read of one row',
    dynamoDb('GetItem', { TableName: 'gatehouse-local-users', Key: {} }),
    ['dynamodb:GetItem on UsersTable'],
  ],
  [
    'a query of an index',
    dynamoDb('Query', { TableName: 'gatehouse-local-events', IndexName: 'due' }),
    ['dynamodb:Query on EventsTable/index/due'],
  ],
  [
    'a batch on two tables',
    dynamoDb('BatchGetItem', { RequestItems: { 'gatehouse-local-events': {}, 'gatehouse-local-counters': {} } }),
    ['dynamodb:BatchGetItem on EventsTable', 'dynamodb:BatchGetItem on CountersTable'],
  ],
  [
    'a transaction, by its parts',
    dynamoDb('TransactWriteItems', TRANSACTION),
    [
      'dynamodb:ConditionCheckItem on UsersTable',
      'dynamodb:PutItem on EventsTable',
      'dynamodb:UpdateItem on PaymentsTable',
      'dynamodb:DeleteItem on UsersTable',
    ],
  ],
  ['a message', sqs('SendMessage', { QueueUrl: RETRY }), ['sqs:SendMessage on RetryQueue']],
  ['a batch of messages', sqs('SendMessageBatch', { QueueUrl: RETRY }), ['sqs:SendMessage on RetryQueue']],
  [
    'the dead letters of a queue',
    sqs('ReceiveMessage', { QueueUrl: `${RETRY}-dead` }),
    ['sqs:ReceiveMessage on RetryDeadQueue'],
  ],
  [
    'a message to the queue of a destination',
    sqs('SendMessage', { QueueUrl: `${QUEUES}/gatehouse-prod-deliver-crm-eu` }),
    ['sqs:SendMessage on DeliverCrmEuQueue'],
  ],
  [
    'a message to a foreign queue',
    sqs('SendMessage', { QueueUrl: OTHERS }),
    ['sqs:SendMessage on arn:aws:sqs:eu-central-1:000000000000:Ledger.fifo'],
  ],
  [
    'a new queue with tags',
    sqs('CreateQueue', { QueueName: 'gatehouse-prod-adapter-0b9e', tags: { a: 'b' } }),
    ['sqs:CreateQueue on InstanceQueues', 'sqs:TagQueue on InstanceQueues'],
  ],
  ['a queue of an instance', sqs('DeleteMessageBatch', { QueueUrl: OWN }), ['sqs:DeleteMessage on InstanceQueues']],
  ['a list of queues', sqs('ListQueues', { QueueNamePrefix: 'gatehouse' }), ['sqs:ListQueues on *']],
  ['a publication', sns({ Action: 'Publish', TopicArn: EVENTS, Message: 'a' }), ['sns:Publish on EventsTopic']],
  [
    'the end of a subscription',
    sns({ Action: 'Unsubscribe', SubscriptionArn: `${EVENTS}:1` }),
    ['sns:Unsubscribe on *'],
  ],
  [
    'an event to a bus',
    json('events', 'AWSEvents.PutEvents', { Entries: [{ EventBusName: BUS }] }),
    [`events:PutEvents on ${BUS}`],
  ],
  [
    'a secret',
    json('secretsmanager', 'secretsmanager.GetSecretValue', { SecretId: 'gatehouse/prod/tokens' }),
    ['secretsmanager:GetSecretValue on secret/tokens'],
  ],
])('%s needs its rights', (_, calls, rights) => {
  expect(calls.map(({ action, resource }) => `${action} on ${resource}`)).toEqual(rights)
})

const UPDATE = {
  TableName: 'gatehouse-local-users',
  Key: { uid: { S: 'a' } },
  UpdateExpression: 'SET #p = :new, history = list_append(history, :one) REMOVE old.part[0] ADD n :by',
  ConditionExpression: 'attribute_exists(uid) AND (NOT #p = :old OR size(body) BETWEEN :a AND :b)',
  ExpressionAttributeNames: { '#p': 'passwordHash' },
}

it.each([
  ['an update', dynamoDb('UpdateItem', UPDATE), ['body', 'history', 'n', 'old', 'passwordHash', 'uid']],
  [
    'an update that returns the row',
    dynamoDb('UpdateItem', { ...UPDATE, UpdateExpression: '', ConditionExpression: '', ReturnValues: 'ALL_NEW' }),
    ['*', 'uid'],
  ],
  ['a put', dynamoDb('PutItem', { TableName: 'x', Item: { uid: {}, roles: {} } }), ['roles', 'uid']],
  [
    'an update in a transaction',
    dynamoDb('TransactWriteItems', { TransactItems: [{ Update: UPDATE }] }),
    ['body', 'history', 'n', 'old', 'passwordHash', 'uid'],
  ],
  ['a read', dynamoDb('GetItem', UPDATE), undefined],
])('%s names the attributes that it uses', (_, [call], attributes) => {
  expect(call?.attributes).toEqual(attributes)
})

it.each([
  ['an action of an unknown form', dynamoDb('ExecuteStatement', { Statement: 'SELECT' }), 'dynamodb:ExecuteStatement'],
  ['an unknown service', json('s3', '', {}), 's3:'],
])('%s counts as a call on everything', (_, calls, action) => {
  expect(calls).toEqual([{ action, resource: '*' }])
})

it('a table of another name does not belong to the stack', () => {
  expect(dynamoDb('GetItem', { TableName: 'elsewhere' })).toEqual([
    { action: 'dynamodb:GetItem', resource: 'elsewhere' },
  ])
})

it('a request without an AWS signature is not a call', () => {
  expect(
    callsIn({ authorization: 'Bearer DynamoDB_20120810', target: 'DynamoDB_20120810.GetItem', body: '{}' }),
  ).toEqual([])
})
