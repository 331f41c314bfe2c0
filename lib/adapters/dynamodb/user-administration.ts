import { ScanCommand, type ScanCommandInput } from '@aws-sdk/lib-dynamodb'
import type { User, UserAdministration } from '../../users/user.ts'
import { type Documents, request } from './client.ts'
import { jitter, type Pause, transact } from './conditional.ts'
import { lookUid, nameUid, toUser, userItems } from './user-item.ts'
import { dynamoUserStore } from './user-store.ts'

/** The users table, as those who look after it see it. */
export function dynamoUserAdministration(
  documents: Documents,
  table: string,
  pause: Pause = jitter,
): UserAdministration {
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

  const rowOf = ({ id: uid }: User) => ({ TableName: table, Key: { uid } })

  return {
    async add(user) {
      const puts = userItems(user).map((item) => ({
        Put: { TableName: table, Item: item, ConditionExpression: 'attribute_not_exists(uid)' },
      }))
      const { kind } = await transact(documents, puts, pause)
      return kind === 'written' ? 'added' : 'taken'
    },

    findById: dynamoUserStore(documents, table).findById,

    async remove(user, remaining) {
      const writes = [
        ...(remaining ? [{ ConditionCheck: { ...rowOf(remaining), ...ENABLED } }] : []),
        { Delete: { ...rowOf(user), ConditionExpression: 'attribute_exists(uid)' } },
        { Delete: { TableName: table, Key: { uid: nameUid(user.username) }, ...isOf(user) } },
        ...(user.look === undefined
          ? []
          : [{ Delete: { TableName: table, Key: { uid: lookUid(user.look) }, ...isOf(user) } }]),
      ]
      const result = await transact(documents, writes, pause)
      return remaining && result.kind === 'refused' && result.index === 0 ? 'alone' : 'removed'
    },

    async list(limit) {
      return (await scan(limit)).toSorted((one, other) => one.username.localeCompare(other.username))
    },
  }
}

function isOf({ id }: User) {
  return { ConditionExpression: 'id = :id', ExpressionAttributeValues: { ':id': id } }
}

const ENABLED = {
  ConditionExpression: 'enabled = :enabled',
  ExpressionAttributeValues: { ':enabled': true },
}
