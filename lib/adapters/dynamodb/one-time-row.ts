import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { type Documents, request } from './client.ts'
import { type Item, removeIf } from './conditional.ts'
import { ttlAt } from './ttl.ts'

/** Rows of the sessions table that are taken once. Without a `uid` they are among no account's sessions. */
export interface OneTimeRows {
  readonly documents: Documents
  readonly table: string
  /** Before each key: no key of a session looks so. */
  readonly prefix: string
}

/** Replaces the row with the same key. @throws ServiceError `UNAVAILABLE` */
export async function putOneTime({ documents, table, prefix }: OneTimeRows, key: string, item: object, end: Date) {
  const row = { sessionKey: `${prefix}${key}`, ...item, endsAt: end.getTime(), ttl: ttlAt(end) }
  await request(() => documents.send(new PutCommand({ TableName: table, Item: row })))
}

/**
 * Removes a row; of all who ask for it, one gets it. The row may have ended.
 * @throws ServiceError `UNAVAILABLE`
 */
export async function takeOneTime({ documents, table, prefix }: OneTimeRows, key: string) {
  const item: Item | undefined = await removeIf(documents, {
    TableName: table,
    Key: { sessionKey: `${prefix}${key}` },
    ConditionExpression: 'attribute_exists(sessionKey)',
  })
  return item && { item, expiresAt: new Date(Number(item['endsAt'])) }
}
