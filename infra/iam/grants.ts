import type { SecretName } from '../../lib/platform/settings/secrets.ts'

/**
 * DynamoDB, SQS and SNS actions without their prefix, by the resource of the stack that they are allowed on; Query is
 * allowed on an index. A secret is one of lib/platform/settings/secrets.ts.
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
const DIRECTORY: Grants = { 'secret/directory': ['GetSecretValue'] }

/** A session that is still good, and whose user is still welcome. */
const SESSION: readonly Grants[] = [
  KEYS,
  DIRECTORY,
  { SessionsTable: ['GetItem', 'UpdateItem'], UsersTable: ['GetItem'] },
]

/** Failed passwords are counted. */
const FAILURES: Grants = { CountersTable: ['BatchGetItem', 'DeleteItem', 'UpdateItem'] }

/** A password against the database. */
const PASSWORD: readonly Grants[] = [FAILURES, { UsersTable: ['GetItem', 'UpdateItem'] }]

const ANY_CREDENTIALS = [...SESSION, ...PASSWORD]

const START_SESSION: Grants = { SessionsTable: ['DeleteItem', 'PutItem'] }

/** A login with another provider, which knows us by a secret. */
const LOGIN_ELSEWHERE: readonly Grants[] = [KEYS, { 'secret/oauth2': ['GetSecretValue'] }]

const LIST_EVENTS: Grants = { 'EventsTable/index/byTime': ['Query'] }

const PUBLISH: Grants = { EventsTopic: ['Publish'] }

const WEBHOOK_SECRETS: Grants = { 'secret/webhooks': ['GetSecretValue'] }

/** A webhook: counted, stored, announced, and handed over where it takes longer. */
const INTAKE: readonly Grants[] = [
  WEBHOOK_SECRETS,
  { CountersTable: ['UpdateItem'], EventsTable: ['BatchWriteItem', 'PutItem'], RetryQueue: ['SendMessage'] },
  PUBLISH,
]

/** What webhooks change, in the transaction that stores them. */
const PAYMENTS: Grants = { PaymentsTable: ['UpdateItem'] }
const ORDERS: Grants = { OrdersTable: ['UpdateItem'] }

/** A run of a stored event. */
const RUN: readonly Grants[] = [
  { EventsTable: ['BatchGetItem', 'UpdateItem'], RetryQueue: ['SendMessage'] },
  PAYMENTS,
  ORDERS,
  PUBLISH,
]

/** What a function does with the messages of a queue that it reads (Lambda developer guide, "Using Lambda with Amazon SQS"). */
const READ = ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage']

/** What each function may do besides writing its own log and traces: exactly what its code asks of AWS. */
export const GRANTS: Readonly<Record<string, readonly Grants[]>> = {
  publicHello: [],
  authLogin: ANY_CREDENTIALS,
  authInfo: ANY_CREDENTIALS,
  adminSecure: ANY_CREDENTIALS,
  userSecure: ANY_CREDENTIALS,
  jdbcUsers: [...PASSWORD, { UsersTable: ['Scan'] }],
  ldapUsers: [DIRECTORY, FAILURES],
  oauth2Profile: SESSION,
  oauth2Steps: SESSION,
  usersCreate: [...ANY_CREDENTIALS, { UsersTable: ['PutItem'] }],
  usersDelete: [...ANY_CREDENTIALS, { UsersTable: ['ConditionCheckItem', 'DeleteItem', 'Scan'] }],
  home: SESSION,
  loginPage: SESSION,
  loginForm: [...ANY_CREDENTIALS, START_SESSION],
  logout: [...SESSION, { SessionsTable: ['DeleteItem'], 'SessionsTable/index/byUser': ['Query'] }],
  oauth2Start: LOGIN_ELSEWHERE,
  oauth2Callback: [...LOGIN_ELSEWHERE, START_SESSION],
  consolePage: SESSION,
  consoleAsset: [],
  webhookEvents: [...ANY_CREDENTIALS, LIST_EVENTS],
  webhookEvent: [...ANY_CREDENTIALS, { EventsTable: ['BatchGetItem', 'GetItem'] }],
  webhookEventPayload: [...ANY_CREDENTIALS, { EventsTable: ['BatchGetItem', 'GetItem'] }],
  webhookEventRetry: [...ANY_CREDENTIALS, { EventsTable: ['UpdateItem'], RetryQueue: ['SendMessage'] }, PUBLISH],
  replaysCreate: [
    ...ANY_CREDENTIALS,
    LIST_EVENTS,
    { ReplaysTable: ['GetItem', 'PutItem'], ReplayQueue: ['SendMessage'] },
  ],
  replay: [...ANY_CREDENTIALS, { ReplaysTable: ['GetItem'] }],
  webhookPayment: [...INTAKE, PAYMENTS],
  webhookOrderStatus: [...INTAKE, ORDERS],
  webhookStripe: [...INTAKE, PAYMENTS],
  webhookGithub: INTAKE,
  webhookProvider: [...INTAKE, PAYMENTS, ORDERS],
  webhookChallenge: [WEBHOOK_SECRETS],
  openapi: [],
  docs: [],
  docsAsset: [],
  retryEvent: [...RUN, { RetryQueue: READ }],
  retryScan: [
    {
      EventsTable: ['UpdateItem'],
      'EventsTable/index/due': ['Query'],
      'ReplaysTable/index/waiting': ['Query'],
      RetryQueue: ['SendMessage'],
      ReplayQueue: ['SendMessage'],
    },
  ],
  replayStep: [
    ...RUN,
    LIST_EVENTS,
    { ReplaysTable: ['UpdateItem'], ReplayQueue: ['SendMessage'] },
    { ReplayQueue: READ },
  ],
  fallback: [],
}
