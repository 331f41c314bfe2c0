import type { SecretName } from '../runtime/settings/secret-names.ts'

/**
 * DynamoDB, SQS and EventBridge actions without their prefix, by the stack resource that they are granted on, or by the
 * ARN of another one; Query is granted on an index, or on a table without any. `UpdateItem:name` may touch that attribute,
 * the others that are granted so, and the key; `*` stands for any characters. `EventsTable#name` are the rows of one partition
 * key. lib/runtime/settings/secret-names.ts names
 * the secrets.
 */
export type Grants = Readonly<
  Partial<
    Record<
      | `${string}Table`
      | `${string}Table#${string}`
      | `${string}Table/index/${string}`
      | `${string}Queue`
      | `arn:${string}`
      | `secret/${SecretName}`,
      readonly string[]
    >
  >
>

/** An action on attributes, whose names have spaces between them. */
export const each = (action: string, attributes: string) => attributes.split(' ').map((one) => `${action}:${one}`)

/** Of a user: all but the hash of the password. */
const KNOWN = 'createdAt enabled id keysValidAfter lastLoginAt name passkeysValidAfter roles tokensValidAfter v'

/** To list users. */
export const LIST_USERS: Grants = { UsersTable: each('BatchGetItem', KNOWN), 'UsersTable/index/byName': ['Query'] }

/** To make tokens, and to check them. */
export const KEYS: Grants = { 'secret/tokens': ['GetSecretValue'] }

/** The account with which the service searches the directory. */
export const DIRECTORY: Grants = { 'secret/directory': ['GetSecretValue'] }

const TRAIL_ROW =
  'action actor actorKey at change error from listed nameHash order outcome requestId target targetKey ttl'

/** To record in the audit trail. */
export const RECORD: Grants = { AuditTable: each('PutItem', TRAIL_ROW) }

/** To check that a session is still valid and its user still active. */
export const SESSION: readonly Grants[] = [
  DIRECTORY,
  { SessionsTable: ['GetItem', 'UpdateItem:lastSeenAt', 'UpdateItem:ttl'], UsersTable: each('GetItem', KNOWN) },
]

const TALLY = 'before spare taken ttl window'

/** To count failed passwords, and to keep the key of the hashes of their names. */
export const FAILURES: Grants = {
  CountersTable: ['BatchGetItem', 'DeleteItem', ...each('UpdateItem', `${TALLY} nameKey`)],
}

/** To check a password against the database, which reads its hash, and to note the login. */
export const PASSWORD: readonly Grants[] = [FAILURES, RECORD, { UsersTable: ['GetItem', 'UpdateItem:lastLoginAt'] }]

/** To replace an outdated hash at a login. */
export const REHASH: Grants = { UsersTable: ['UpdateItem:passwordHash'] }

/** To set a password, and to end credentials with it. */
export const SET_PASSWORD: Grants = {
  UsersTable: each('UpdateItem', 'keysValidAfter passkeysValidAfter passwordHash tokensValidAfter'),
}

/** To end all logins of an account. */
export const END_LOGINS: Grants = { UsersTable: ['UpdateItem:tokensValidAfter'] }

export const ANY_CREDENTIALS = [KEYS, ...SESSION, ...PASSWORD]

/** To check an API key, and to note that it is in use. */
const KEY: Grants = { KeysTable: ['GetItem', 'UpdateItem:lastUsedAt'] }
export const ANY_OR_KEY = [...ANY_CREDENTIALS, KEY]

/** To begin a registration or a login with a passkey, and no session: that has other attributes. */
export const KEEP_CHALLENGE: Grants = { SessionsTable: ['PutItem:challenge', 'PutItem:endsAt', 'PutItem:ttl'] }

export const TAKE_CHALLENGE: Grants = { SessionsTable: ['DeleteItem'] }

/** To read the passkeys of an account. */
export const READ_PASSKEYS: Grants = { PasskeysTable: ['GetItem'] }

/** To add one, and to remove one. */
export const CHANGE_PASSKEYS: Grants = { PasskeysTable: ['UpdateItem:passkey-*', 'UpdateItem:passkeyCount'] }

/** To delete the passkeys and the API keys of an account that have ended. */
export const FORGET: Grants = { PasskeysTable: ['DeleteItem'], KeysTable: ['DeleteItem', 'Query'] }

const SESSION_ROW = 'authType createdAt lastSeenAt oauth2 principalType roles ttl uid username'
export const START_SESSION: Grants = { SessionsTable: ['DeleteItem', ...each('PutItem', SESSION_ROW)] }

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
export const PUBLISH: Grants = { MessagesTable: each('PutItem', 'after at content number origin ttl') }

export const WEBHOOK_SECRETS: Grants = { 'secret/webhooks': ['GetSecretValue'] }

/** Also of the rows beside an event: its id, its content, an element, a part of its body. */
const EVENT_ROW =
  'attempts at coding contentSha256 dead dueShard errorMessage eventType expireAt headers held history id itemCount itemId ' +
  'lastEventId listShard nextRetryAt outcome partsOf payload payloadParts possibleDuplicateOf processedAt proof receivedAt ' +
  'rs sha256 since source status summary sweepAt typeConflict types'
/** Of an event, to compare a copy with it. */
const COMPARED = 'contentSha256 expireAt id idConflict listShard receivedAt sha256 v'
const PART = 'coding expireAt payload'
const ELEMENT = 'eventType expireAt itemId'
const REFUSED = 'address count firstAt headers lastAt reason size source ttl verdict'
const HEARD = 'keyDocuments lastAcceptedAt lastRefusedAt'

/** To count and store a webhook, to hand it over if its work takes longer, and to keep why one was refused. */
export const INTAKE: readonly Grants[] = [
  WEBHOOK_SECRETS,
  {
    CountersTable: each('UpdateItem', TALLY),
    EventsTable: [
      ...each('BatchWriteItem', `${PART} ${ELEMENT}`),
      ...each('PutItem', EVENT_ROW),
      ...each('GetItem', COMPARED),
      'UpdateItem:idConflict',
    ],
    RefusalsTable: each('UpdateItem', `${REFUSED} ${HEARD}`),
    RetryQueue: ['SendMessage'],
  },
]

/** To store deliveries. */
export const STORE_DELIVERIES = each(
  'PutItem',
  'attempts dueAt dueShard eventType expireAt history id orderedAt receivedAt replayId status sweepAt',
)

/** To store them in the transaction that stores the webhook. */
export const DELIVERIES: Grants = { DeliveriesTable: STORE_DELIVERIES }

/** To move deliveries on. */
export const MOVE_DELIVERIES = [
  'GetItem',
  ...each('UpdateItem', 'answer attempts deadFor deliveredAt dueAt dueShard expireAt history leaseUntil orderedAt'),
  ...each('UpdateItem', 'owner replayId status sweepAt'),
]

/** To change what is known of a destination. */
export const HEALTH = each(
  'PutItem',
  'by failingSince failures heldUntil lastAnswer lastAnswerAt probeAt reason removedAt since state told version writeId',
)

const EFFECT = 'changeId events id listShard status'

/** To change payments in the transaction that stores the webhook. */
export const PAYMENTS: Grants = {
  PaymentsTable: each('UpdateItem', `${EFFECT} amount amountValue currency customerId orderId rank`),
}
export const ORDERS: Grants = {
  OrdersTable: each('UpdateItem', `${EFFECT} carrier estimatedDelivery timestamp trackingNumber`),
}

/** Of a stored event that is set going, or waits; no content of it. */
export const WAIT = 'attempts changeId dead dueShard expireAt history nextRetryAt payloadDeletedAt status sweepAt'

/** The same of one that an operator or a replay orders. */
export const ORDER = `${WAIT} orderedAt orderedBy replayId`

/** To run a stored event. */
export const RUN: readonly Grants[] = [
  {
    EventsTable: [
      'BatchGetItem',
      ...each('BatchWriteItem', ELEMENT),
      ...each('UpdateItem', `${WAIT} errorMessage held leaseUntil outcome owner processedAt`),
    ],
    RetryQueue: ['SendMessage'],
  },
  PAYMENTS,
  ORDERS,
  PUBLISH,
]

/** To read the messages of a queue (Lambda developer guide, "Using Lambda with Amazon SQS"). */
export const READ = ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage']
