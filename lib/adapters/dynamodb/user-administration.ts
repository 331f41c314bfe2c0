import { GetCommand, ScanCommand, type ScanCommandInput } from '@aws-sdk/lib-dynamodb'
import { type User, type UserAdministration, userKey } from '../../users/user.ts'
import { type Documents, request } from './client.ts'
import { jitter, type Pause, transact } from './conditional.ts'
import { type IdItem, idKey, toUser, type UserItem, userItems } from './user-item.ts'

/** The users table, as those who look after it see it. */
export function dynamoUserAdministration(
  documents: Documents,
  table: string,
  pause: Pause = jitter,
): UserAdministration {
  async function get(username: string | undefined) {
    const command = new GetCommand({ TableName: table, Key: { username }, ConsistentRead: true })
    return (await request(() => documents.send(command))).Item
  }

  async function scan(limit: number): Promise<readonly UserItem[]> {
    const found: UserItem[] = []
    let start: ScanCommandInput['ExclusiveStartKey']
    do {
      const command = new ScanCommand({
        TableName: table,
        FilterExpression: 'attribute_exists(passwordHash)',
        ExclusiveStartKey: start,
      })
      const page = await request(() => documents.send(command))
      found.push(...((page.Items ?? []) as UserItem[]))
      start = page.LastEvaluatedKey
    } while (start && found.length < limit)
    return found.slice(0, limit)
  }

  const rowOf = ({ username }: User) => ({ TableName: table, Key: { username: userKey(username) } })

  return {
    async add(user) {
      const puts = userItems(user).map((item) => ({
        Put: { TableName: table, Item: item, ConditionExpression: 'attribute_not_exists(username)' },
      }))
      const { kind } = await transact(documents, puts, pause)
      return kind === 'written' ? 'added' : 'taken'
    },

    async findById(id) {
      const pointer = (await get(idKey(id))) as IdItem | undefined
      const item = pointer && ((await get(userKey(pointer.name))) as UserItem | undefined)
      return item?.id === id ? toUser(item) : undefined
    },

    async remove(user, remaining) {
      const writes = [
        ...(remaining ? [{ ConditionCheck: { ...rowOf(remaining), ...isEnabled(remaining) } }] : []),
        { Delete: { ...rowOf(user), ...isSame(user) } },
        { Delete: { TableName: table, Key: { username: idKey(user.id) } } },
      ]
      const result = await transact(documents, writes, pause)
      return remaining && result.kind === 'refused' && result.index === 0 ? 'alone' : 'removed'
    },

    async list(limit) {
      const users = (await scan(limit)).map(toUser)
      return users.sort((one, other) => one.username.localeCompare(other.username))
    },
  }
}

function isSame({ id }: User) {
  return { ConditionExpression: 'id = :id', ExpressionAttributeValues: { ':id': id } }
}

function isEnabled({ id }: User) {
  return {
    ConditionExpression: 'id = :id AND enabled = :enabled',
    ExpressionAttributeValues: { ':id': id, ':enabled': true },
  }
}
