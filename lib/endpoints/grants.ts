import type { SecretName } from '../runtime/settings/secret-names.ts'

/**
 * DynamoDB, SQS and SNS actions without their prefix, by the resource of the stack that they are allowed on; Query is
 * allowed on an index. A secret is one of lib/runtime/settings/secrets.ts.
 */
export type Grants = Readonly<
  Partial<
    Record<
      | `${string}Table`
      | `${string}Table/index/${string}`
      | `${string}Queue`
      | `${string}Topic`
      | `secret/${SecretName}`,
      readonly string[]
    >
  >
>

const KEYS: Grants = { 'secret/tokens': ['GetSecretValue'] }

/** The account by which the directory is asked for others. */
export const DIRECTORY: Grants = { 'secret/directory': ['GetSecretValue'] }

/** A session that is still good, and whose user is still welcome. */
export const SESSION: readonly Grants[] = [
  KEYS,
  DIRECTORY,
  { SessionsTable: ['GetItem', 'UpdateItem'], UsersTable: ['GetItem'] },
]

/** Failed passwords are counted. */
export const FAILURES: Grants = { CountersTable: ['BatchGetItem', 'DeleteItem', 'UpdateItem'] }

/** A password against the database. */
export const PASSWORD: readonly Grants[] = [FAILURES, { UsersTable: ['GetItem', 'UpdateItem'] }]

export const ANY_CREDENTIALS = [...SESSION, ...PASSWORD]

export const START_SESSION: Grants = { SessionsTable: ['DeleteItem', 'PutItem'] }

/** A login with another provider, which knows us by a secret. */
export const LOGIN_ELSEWHERE: readonly Grants[] = [KEYS, { 'secret/oauth2': ['GetSecretValue'] }]

export const LIST_EVENTS: Grants = { 'EventsTable/index/byTime': ['Query'] }

export const PUBLISH: Grants = { EventsTopic: ['Publish'] }

export const WEBHOOK_SECRETS: Grants = { 'secret/webhooks': ['GetSecretValue'] }

/** A webhook: counted, stored, announced, and handed over where it takes longer. */
export const INTAKE: readonly Grants[] = [
  WEBHOOK_SECRETS,
  { CountersTable: ['UpdateItem'], EventsTable: ['BatchWriteItem', 'PutItem'], RetryQueue: ['SendMessage'] },
  PUBLISH,
]

/** What webhooks change, in the transaction that stores them. */
export const PAYMENTS: Grants = { PaymentsTable: ['UpdateItem'] }
export const ORDERS: Grants = { OrdersTable: ['UpdateItem'] }

/** A run of a stored event. */
export const RUN: readonly Grants[] = [
  { EventsTable: ['BatchGetItem', 'UpdateItem'], RetryQueue: ['SendMessage'] },
  PAYMENTS,
  ORDERS,
  PUBLISH,
]

/** What a function does with the messages of a queue that it reads (Lambda developer guide, "Using Lambda with Amazon SQS"). */
export const READ = ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage']
