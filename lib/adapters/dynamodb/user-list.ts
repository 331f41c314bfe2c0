import { QueryCommand, ScanCommand, type ScanCommandInput } from '@aws-sdk/lib-dynamodb'
import type { User, UserList } from '../../users/user.ts'
import { type Documents, request } from './client.ts'
import { jitter, type Pause } from './conditional.ts'
import { rowsAt } from './rows-at.ts'
import { LISTED, toUser } from './user-item.ts'

/** The users table, as a list. A page is as many keys of the index by name as it is long, and the rows of these. */
export function dynamoUserList(documents: Documents, table: string, pause: Pause = jitter): UserList {
  async function scan(limit: number): Promise<readonly User[]> {
    const found: User[] = []
    let start: ScanCommandInput['ExclusiveStartKey']
    do {
      const command = new ScanCommand({
        TableName: table,
        FilterExpression: 'attribute_exists(passwordHash)',
        ExclusiveStartKey: start,
      })
      const page = await request(() => documents.send(command))
      found.push(...(page.Items ?? []).map(toUser).filter((user) => user !== undefined))
      start = page.LastEvaluatedKey
    } while (start && found.length < limit)
    return found.slice(0, limit)
  }

  return {
    async list(limit) {
      return (await scan(limit)).toSorted((one, other) => one.username.localeCompare(other.username))
    },

    async page(limit, after) {
      const query = new QueryCommand({
        TableName: table,
        IndexName: 'byName',
        KeyConditionExpression: after === undefined ? 'listed = :listed' : 'listed = :listed AND nameKey > :after',
        ExpressionAttributeValues: { ':listed': LISTED, ':after': after },
        Limit: limit + 1,
      })
      const { Items: items = [] } = await request(() => documents.send(query))
      const found = items.slice(0, limit)
      const ids = found.map(({ uid }) => String(uid))
      const rows = await rowsAt({ documents, table, key: 'uid', pause }, ids, true)
      return {
        users: ids.map((id) => toUser(rows.get(id))).filter((user) => user !== undefined),
        next: items.length > limit ? String(found.at(-1)?.['nameKey']) : undefined,
      }
    },
  }
}
