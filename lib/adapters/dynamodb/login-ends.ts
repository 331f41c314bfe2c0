import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { isDatabaseUid } from '../../users/account-id.ts'
import type { LoginEnds } from '../../users/user.ts'
import { type Documents, request } from './client.ts'
import { SHOW_NOTHING } from './conditional.ts'
import { updateRecorded } from './recorded.ts'

/** In the users table: of a user of the database in the user's row, of any other account in a row of its own. */
export function dynamoLoginEnds(documents: Documents, table: string): LoginEnds {
  return {
    async find(uid) {
      const get = new GetCommand({ TableName: table, Key: { uid }, ConsistentRead: true })
      const at = (await request(() => documents.send(get))).Item?.['tokensValidAfter']
      return typeof at === 'number' ? new Date(at) : undefined
    },

    async end(uid, at) {
      const isNoLater = '(attribute_not_exists(tokensValidAfter) OR tokensValidAfter < :at)'
      await updateRecorded(documents, {
        TableName: table,
        Key: { uid },
        UpdateExpression: 'SET tokensValidAfter = :at',
        ConditionExpression: isDatabaseUid(uid) ? `attribute_exists(uid) AND ${isNoLater}` : isNoLater,
        ExpressionAttributeValues: { ':at': at.getTime() },
        ...SHOW_NOTHING,
      })
    },
  }
}
