import { randomBytes } from 'node:crypto'
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { memoizeAsync } from '../../runtime/memoize-async.ts'
import { type Documents, request } from './client.ts'

/** No count has this name. */
const ROW = 'login#names'

const KEY_BYTES = 32

/**
 * The key of the hashes of names in refused logins: random, made for the first of them, and kept in the counters table, so
 * that no login has to read a key that signs tokens.
 * @returns reads it once for a process. Throws ServiceError `UNAVAILABLE`
 */
export function dynamoNameKey(documents: Documents, table: string): () => Promise<Uint8Array> {
  return memoizeAsync(async () => {
    const update = new UpdateCommand({
      TableName: table,
      Key: { counter: ROW },
      UpdateExpression: 'SET nameKey = if_not_exists(nameKey, :new)',
      ExpressionAttributeValues: { ':new': randomBytes(KEY_BYTES) },
      ReturnValues: 'ALL_NEW',
    })
    const { Attributes: row } = await request(() => documents.send(update))
    return row?.['nameKey']
  })
}
