import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import { isEnabledAdmin, type User, type UserAdministration, type UserChanges } from '../../users/user.ts'
import { type Documents, request } from './client.ts'
import { jitter, type Pause } from './conditional.ts'
import { forgetPasskeys } from './passkey-store.ts'
import { transactRecorded } from './recorded.ts'
import { LISTED, nameUid, userItems } from './user-item.ts'
import { dynamoUserStore } from './user-store.ts'

interface UserTables {
  readonly users: string
  /** Its rows end with those of their users. */
  readonly passkeys: string
}

/** The users table, as those who look after it see it. */
export function dynamoUserAdministration(
  documents: Documents,
  { users: table, passkeys }: UserTables,
  pause: Pause = jitter,
): UserAdministration {
  const { findById } = dynamoUserStore(documents, table)
  const rowOf = ({ id: uid }: User) => ({ TableName: table, Key: { uid } })

  async function write(remaining: User | undefined, ...writes: Writes): Promise<'written' | 'moved'> {
    const check = remaining ? [{ ConditionCheck: { ...rowOf(remaining), ...ENABLED_ADMIN } }] : []
    const { kind } = await transactRecorded(documents, [...check, ...writes], pause)
    return kind === 'written' ? 'written' : 'moved'
  }

  async function* indexedAdmins(): AsyncGenerator<string> {
    let start: QueryCommandInput['ExclusiveStartKey']
    do {
      const query = new QueryCommand({
        TableName: table,
        IndexName: 'byName',
        KeyConditionExpression: 'listed = :listed',
        FilterExpression: ENABLED_ADMIN.ConditionExpression,
        ExpressionAttributeNames: ENABLED_ADMIN.ExpressionAttributeNames,
        ExpressionAttributeValues: { ...ENABLED_ADMIN.ExpressionAttributeValues, ':listed': LISTED },
        ExclusiveStartKey: start,
      })
      const page = await request(() => documents.send(query))
      for (const { uid } of page.Items ?? []) yield String(uid)
      start = page.LastEvaluatedKey
    } while (start)
  }

  return {
    async add(user) {
      const puts = userItems(user).map((item) => ({
        Put: { TableName: table, Item: item, ConditionExpression: 'attribute_not_exists(uid)' },
      }))
      const { kind } = await transactRecorded(documents, puts, pause)
      return kind === 'written' ? 'added' : 'taken'
    },

    findById,

    async findOtherAdmin(id) {
      for await (const uid of indexedAdmins()) {
        // The index may lag.
        const admin = uid === id ? undefined : await findById(uid)
        if (admin && isEnabledAdmin(admin)) return admin
      }
      return undefined
    },

    update: (read, changes, at, remaining) =>
      write(remaining, { Update: { ...rowOf(read), ...updateOf(read, changes, at) } }),

    remove: (read, remaining) =>
      write(remaining, { Delete: { ...rowOf(read), ...asRead(read) } }, forgetPasskeys(passkeys, read.id), {
        Delete: { TableName: table, Key: { uid: nameUid(read.username) }, ...isOf(read) },
      }),
  }
}

type Writes = Parameters<typeof transactRecorded>[1]

function updateOf(read: User, changes: UserChanges, at: Date) {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  const condition = asRead(read)
  return {
    ...condition,
    UpdateExpression: `SET tokensValidAfter = :at${given.map(([name]) => `, #${name} = :${name}`).join('')}`,
    ExpressionAttributeNames: {
      ...condition.ExpressionAttributeNames,
      ...Object.fromEntries(given.map(([name]) => [`#${name}`, name])),
    },
    ExpressionAttributeValues: {
      ...condition.ExpressionAttributeValues,
      ':at': Math.max(at.getTime(), read.validAfter?.getTime() ?? 0),
      ...Object.fromEntries(given.map(([name, value]) => [`:${name}`, value])),
    },
  }
}

/** Whether another admin must remain depends on these two attributes. */
function asRead({ enabled, roles }: User) {
  return {
    ConditionExpression: '#enabled = :wasEnabled AND #roles = :hadRoles',
    ExpressionAttributeNames: { '#enabled': 'enabled', '#roles': 'roles' },
    ExpressionAttributeValues: { ':wasEnabled': enabled, ':hadRoles': roles },
  }
}

function isOf({ id }: User) {
  return { ConditionExpression: 'id = :id', ExpressionAttributeValues: { ':id': id } }
}

const ENABLED_ADMIN = {
  ConditionExpression: 'enabled = :enabled AND contains(#roles, :role)',
  ExpressionAttributeNames: { '#roles': 'roles' },
  ExpressionAttributeValues: { ':enabled': true, ':role': 'ROLE_ADMIN' },
}
