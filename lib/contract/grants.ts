import type { SecretName } from '../runtime/settings/secret-names.ts'

/**
 * DynamoDB, SQS and EventBridge actions without their prefix, by the stack resource that they are
 * granted on, or by the ARN of another one; Query is granted on an index, or on a table without any. `UpdateItem:name` may touch that
 * attribute, the others that are granted so, and the key. lib/runtime/settings/secret-names.ts names the secrets.
 */
export type Grants = Readonly<
  Partial<
    Record<
      `${string}Table` | `${string}Table/index/${string}` | `${string}Queue` | `arn:${string}` | `secret/${SecretName}`,
      readonly string[]
    >
  >
>

/** To make tokens, and to check them. */
export const KEYS: Grants = { 'secret/tokens': ['GetSecretValue'] }

/** The account with which the service searches the directory. */
export const DIRECTORY: Grants = { 'secret/directory': ['GetSecretValue'] }

/** To record in the audit trail. */
export const RECORD: Grants = { AuditTable: ['PutItem'] }

/** To check that a session is still valid and its user still active. */
export const SESSION: readonly Grants[] = [
  DIRECTORY,
  { SessionsTable: ['GetItem', 'UpdateItem:lastSeenAt', 'UpdateItem:ttl'], UsersTable: ['GetItem'] },
]

/** To count failed passwords. */
export const FAILURES: Grants = { CountersTable: ['BatchGetItem', 'DeleteItem', 'UpdateItem'] }

/** To check a password against the database, to renew its hash and to note the login. */
export const PASSWORD: readonly Grants[] = [
  FAILURES,
  RECORD,
  { UsersTable: ['GetItem', 'UpdateItem:lastLoginAt', 'UpdateItem:passwordHash'] },
]

/** To end all logins of an account. */
export const END_LOGINS: Grants = { UsersTable: ['UpdateItem:tokensValidAfter'] }

export const ANY_CREDENTIALS = [KEYS, ...SESSION, ...PASSWORD]

/** To check an API key, and to note that it is in use. */
export const ANY_OR_KEY = [...ANY_CREDENTIALS, { KeysTable: ['GetItem', 'UpdateItem'] }] satisfies readonly Grants[]

/** To begin a registration or a login with a passkey, and no session: that has other attributes. */
export const KEEP_CHALLENGE: Grants = { SessionsTable: ['PutItem:challenge', 'PutItem:endsAt', 'PutItem:ttl'] }

export const TAKE_CHALLENGE: Grants = { SessionsTable: ['DeleteItem'] }

/** To read the passkeys of an account. */
export const READ_PASSKEYS: Grants = { PasskeysTable: ['GetItem'] }

/** To delete the passkeys of a user together with the user. */
export const FORGET_PASSKEYS: Grants = { PasskeysTable: ['DeleteItem'] }

export const START_SESSION: Grants = { SessionsTable: ['DeleteItem', 'PutItem'] }

/** To keep a ticket, and no session: that has other attributes. */
export const KEEP_TICKET: Grants = { SessionsTable: ['PutItem:endsAt', 'PutItem:opener', 'PutItem:ttl'] }

/** For a login with an identity provider, which authenticates us by a secret. */
export const LOGIN_ELSEWHERE: Grants = { 'secret/oauth2': ['GetSecretValue'] }

/** To list the sessions of an account. */
export const LIST_SESSIONS: Grants = { SessionsTable: ['BatchGetItem'], 'SessionsTable/index/byAccount': ['Query'] }

/** To end every session and every token of an account. */
export const END_SESSIONS: Grants = {
  SessionsTable: ['DeleteItem'],
  'SessionsTable/index/byAccount': ['Query'],
  ...END_LOGINS,
}

export const LIST_EVENTS: Grants = { 'EventsTable/index/byTime': ['Query'] }

/** To count what became of the events that a replay ran. */
export const COUNT_REPLAYED: Grants = { 'EventsTable/index/byReplay': ['Query'] }

/** To announce something to listeners, or to send a message to clients of the channels. */
export const PUBLISH: Grants = { MessagesTable: ['PutItem'] }

export const WEBHOOK_SECRETS: Grants = { 'secret/webhooks': ['GetSecretValue'] }

/** To count and store a webhook, to hand it over if its work takes longer, and to keep why one was refused. */
export const INTAKE: readonly Grants[] = [
  WEBHOOK_SECRETS,
  {
    CountersTable: ['UpdateItem'],
    EventsTable: ['BatchWriteItem', 'PutItem', 'UpdateItem'],
    RefusalsTable: ['UpdateItem'],
    RetryQueue: ['SendMessage'],
  },
]

/** To store deliveries in the transaction that stores the webhook. */
export const DELIVERIES: Grants = { DeliveriesTable: ['PutItem'] }

/** To sign deliveries. */
export const DELIVERY_SECRETS: Grants = { 'secret/deliveries': ['GetSecretValue'] }

/** To change payments in the transaction that stores the webhook. */
export const PAYMENTS: Grants = { PaymentsTable: ['UpdateItem'] }
export const ORDERS: Grants = { OrdersTable: ['UpdateItem'] }

/** To run a stored event. */
export const RUN: readonly Grants[] = [
  { EventsTable: ['BatchGetItem', 'BatchWriteItem', 'UpdateItem'], RetryQueue: ['SendMessage'] },
  PAYMENTS,
  ORDERS,
  PUBLISH,
]

/** To read the messages of a queue (Lambda developer guide, "Using Lambda with Amazon SQS"). */
export const READ = ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage']
