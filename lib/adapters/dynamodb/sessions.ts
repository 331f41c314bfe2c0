import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import type { TicketStore } from '../../auth/live/ticket.ts'
import type { ChallengeStore } from '../../auth/passkeys/passkey.ts'
import type { AccountSessions, Session, SessionStore, SessionUser } from '../../auth/session.ts'
import { pagesOf, rowsAt } from './lists.ts'
import {
  type Documents,
  type Item,
  itemAt,
  jitter,
  type Pause,
  pageOf,
  removeIf,
  request,
  SHOW_NOTHING,
  type Stored,
  storedOf,
  timesIn,
  ttlAt,
  updateIf,
} from './table.ts'
import { putRecorded, removeRecorded } from './trail.ts'

export interface SessionItem extends SessionUser, Stored<Pick<Session, 'createdAt' | 'lastSeenAt'>> {
  readonly sessionKey: string
}

/** The sessions table; `ttl`, in seconds, lets DynamoDB clear away what is over, some time later. */
export function dynamoSessionStore(documents: Documents, table: string): SessionStore {
  const remove = (sessionKey: string) =>
    request(() => documents.send(new DeleteCommand({ TableName: table, Key: { sessionKey } })))

  return {
    async put({ key, ...session }, expiresAt) {
      const item = { ...storedOf(session), sessionKey: key, ttl: ttlAt(expiresAt) }
      await putRecorded(documents, { TableName: table, Item: item })
    },

    async find(sessionKey) {
      const item = await itemAt(documents, table, { sessionKey })
      return item && toSession(item as unknown as SessionItem)
    },

    async touch(sessionKey, lastSeenAt, expiresAt) {
      await updateIf(documents, {
        TableName: table,
        Key: { sessionKey },
        UpdateExpression: 'SET lastSeenAt = :seen, #ttl = :ttl',
        ConditionExpression: 'attribute_exists(sessionKey)',
        ExpressionAttributeValues: { ':seen': lastSeenAt.getTime(), ':ttl': ttlAt(expiresAt) },
        ...SHOW_NOTHING,
      })
    },

    async remove(sessionKey) {
      await remove(sessionKey)
    },

    async removeAll(uid) {
      for await (const items of pagesOf(documents, byAccount(table, uid)))
        await Promise.all(items.map(({ sessionKey }) => remove(String(sessionKey))))
    },
  }
}

function byAccount(table: string, uid: string) {
  return {
    TableName: table,
    IndexName: 'byAccount',
    KeyConditionExpression: 'uid = :uid',
    ExpressionAttributeValues: { ':uid': uid },
  }
}

function toSession(item: SessionItem): Session {
  const { sessionKey, username, roles, authType, principalType, uid, oauth2 } = item
  const user = { username, roles, authType, principalType, uid, oauth2 }
  return { key: sessionKey, ...user, ...timesIn(item, 'createdAt', 'lastSeenAt') }
}

/** The sessions table, by account. The index lags by a moment; what it names is read from the table. */
export function dynamoAccountSessions(documents: Documents, table: string, pause: Pause = jitter): AccountSessions {
  return {
    async list(uid, limit) {
      const { items } = await pageOf(documents, { ...byAccount(table, uid), Limit: limit })
      const keys = items.map(({ sessionKey }) => ({ sessionKey }))
      const rows = await rowsAt(documents, table, keys, pause)
      return rows.map((row) => toSession(row as unknown as SessionItem))
    },

    remove: (uid, sessionKey) =>
      removeRecorded(documents, {
        TableName: table,
        Key: { sessionKey },
        ConditionExpression: 'uid = :uid',
        ExpressionAttributeValues: { ':uid': uid },
      }),
  }
}

/** Rows of the sessions table that are taken once. Without a `uid` they are among no account's sessions. */
export interface OneTimeRows {
  readonly documents: Documents
  readonly table: string
  /** Before each key: no key of a session looks so. */
  readonly prefix: string
}

/** Replaces the row with the same key. @throws ServiceError `UNAVAILABLE` */
async function putOneTime({ documents, table, prefix }: OneTimeRows, key: string, item: object, end: Date) {
  const row = { sessionKey: `${prefix}${key}`, ...item, endsAt: end.getTime(), ttl: ttlAt(end) }
  await request(() => documents.send(new PutCommand({ TableName: table, Item: row })))
}

/**
 * Removes a row; of all who ask for it, one gets it. The row may have ended.
 * @throws ServiceError `UNAVAILABLE`
 */
async function takeOneTime({ documents, table, prefix }: OneTimeRows, key: string) {
  const item: Item | undefined = await removeIf(documents, {
    TableName: table,
    Key: { sessionKey: `${prefix}${key}` },
    ConditionExpression: 'attribute_exists(sessionKey)',
  })
  return item && { item, expiresAt: new Date(Number(item['endsAt'])) }
}

/** Challenges of passkeys in the sessions table. */
export function dynamoChallengeStore(documents: Documents, table: string): ChallengeStore {
  const rows: OneTimeRows = { documents, table, prefix: 'challenge#' }
  return {
    put: ({ key, text, expiresAt }) => putOneTime(rows, key, { challenge: text }, expiresAt),

    async take(key) {
      const taken = await takeOneTime(rows, key)
      return taken && { key, text: String(taken.item['challenge']), expiresAt: taken.expiresAt }
    },
  }
}

/** Tickets in the sessions table: each names the key of the login session that it was made in. */
export function dynamoTicketStore(documents: Documents, table: string): TicketStore {
  const rows: OneTimeRows = { documents, table, prefix: 'ticket#' }
  return {
    put: ({ key, sessionKey, expiresAt }) => putOneTime(rows, key, { opener: sessionKey }, expiresAt),

    async take(key) {
      const taken = await takeOneTime(rows, key)
      return taken && { key, sessionKey: String(taken.item['opener']), expiresAt: taken.expiresAt }
    },
  }
}
