import type { ApiKey, KeyAdministration, KeyReader } from '../../auth/keys/api-key.ts'
import { pagesOf } from './lists.ts'
import {
  type Documents,
  itemAt,
  removeIf,
  SHOW_NOTHING,
  type Stored,
  storedOf,
  timesIn,
  ttlAt,
  updateIf,
} from './table.ts'
import { putRecorded, removeRecorded } from './trail.ts'

/** The partition of all keys. */
const KIND = 'key'

/** An ended key stays in the list for 30 days, so that an administrator can see why it is refused. */
const KEPT_SECONDS = 30 * 24 * 60 * 60

/** Times in milliseconds since the epoch; `ttl`, in seconds, lets DynamoDB clear away what ended long ago. */
export interface KeyItem extends Stored<ApiKey> {
  readonly kind: string
  readonly ttl: number
}

function rowOf(id: string) {
  return { kind: KIND, id }
}

export function keyItemOf(key: ApiKey): KeyItem {
  return { ...storedOf(key), ...rowOf(key.id), ttl: ttlAt(key.expiresAt) + KEPT_SECONDS }
}

function keyOfItem({ kind, ttl, ...key }: KeyItem): ApiKey {
  return { ...key, ...timesIn(key, 'createdAt', 'loginAt', 'expiresAt', 'lastUsedAt') }
}

/** The keys table, as the check of keys sees it: a key that was just made is known at once. */
export function dynamoKeyReader(documents: Documents, table: string): KeyReader {
  return {
    async find(id) {
      const item = await itemAt(documents, table, rowOf(id))
      return item && keyOfItem(item as unknown as KeyItem)
    },

    async noteUse(id, at, before) {
      await updateIf(documents, {
        TableName: table,
        Key: rowOf(id),
        UpdateExpression: 'SET lastUsedAt = :at',
        ConditionExpression: 'attribute_exists(id) AND (attribute_not_exists(lastUsedAt) OR lastUsedAt <= :before)',
        ExpressionAttributeValues: { ':at': at.getTime(), ':before': before.getTime() },
        ...SHOW_NOTHING,
      })
    },
  }
}

/** The keys table, as admins see it. */
export function dynamoKeyAdministration(documents: Documents, table: string): KeyAdministration {
  async function list(limit: number, after: string | undefined, uid?: string): Promise<readonly ApiKey[]> {
    const query = {
      TableName: table,
      KeyConditionExpression: after === undefined ? 'kind = :kind' : 'kind = :kind AND id < :after',
      ...(uid !== undefined && { FilterExpression: 'uid = :uid' }),
      ExpressionAttributeValues: { ':kind': KIND, ':after': after, ':uid': uid },
      ScanIndexForward: false,
      ConsistentRead: true,
      ...(uid === undefined && { Limit: limit }),
    }
    const found: ApiKey[] = []
    for await (const items of pagesOf(documents, query)) {
      found.push(...(items as unknown as KeyItem[]).map(keyOfItem))
      if (found.length >= limit) break
    }
    return found.slice(0, limit)
  }

  return {
    list,

    async add(key) {
      const put = { TableName: table, Item: keyItemOf(key), ConditionExpression: 'attribute_not_exists(id)' }
      const { kind } = await putRecorded(documents, put)
      if (kind === 'refused') throw new Error('the id of a new key is taken')
    },

    find: dynamoKeyReader(documents, table).find,

    async remove(id) {
      const removal = { TableName: table, Key: rowOf(id), ConditionExpression: 'attribute_exists(id)' }
      return removeRecorded(documents, removal)
    },

    async removeAll(uid, before) {
      const all = await list(Number.POSITIVE_INFINITY, undefined, uid)
      const ended = all.filter(({ loginAt }) => loginAt < before)
      await Promise.all(ended.map(({ id }) => removeIf(documents, { TableName: table, Key: rowOf(id) })))
    },
  }
}
