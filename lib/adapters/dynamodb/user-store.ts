import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { type UserStore, userKey } from '../../users/user.ts'
import { type Documents, request } from './client.ts'
import { SHOW_NOTHING, updateIf } from './conditional.ts'
import { updateRecorded } from './recorded.ts'
import { nameUid, toUser } from './user-item.ts'

/** The users table, as a login sees it. */
export function dynamoUserStore(documents: Documents, table: string): UserStore {
  async function get(uid: string) {
    const command = new GetCommand({ TableName: table, Key: { uid }, ConsistentRead: true })
    return (await request(() => documents.send(command))).Item
  }

  const findById = async (id: string) => (id === '' ? undefined : toUser(await get(id)))

  return {
    findById,

    async find(username) {
      const name = await get(nameUid(username))
      const user = name && (await findById(String(name['id'])))
      return user && userKey(user.username) === userKey(username) ? user : undefined
    },

    async replacePasswordHash(uid, read, replacement) {
      await updateIf(documents, {
        TableName: table,
        Key: { uid },
        UpdateExpression: 'SET passwordHash = :replacement',
        ConditionExpression: 'passwordHash = :read',
        ExpressionAttributeValues: { ':read': read, ':replacement': replacement },
        ...SHOW_NOTHING,
      })
    },

    async setPassword({ id: uid, validAfter }, passwordHash, at) {
      const { kind } = await updateRecorded(documents, {
        TableName: table,
        Key: { uid },
        UpdateExpression: 'SET passwordHash = :hash, tokensValidAfter = :at',
        ConditionExpression: `attribute_exists(passwordHash) AND ${
          validAfter ? 'tokensValidAfter = :read' : 'attribute_not_exists(tokensValidAfter)'
        }`,
        ExpressionAttributeValues: {
          ':hash': passwordHash,
          ':at': Math.max(at.getTime(), validAfter?.getTime() ?? 0),
          ':read': validAfter?.getTime(),
        },
        ...SHOW_NOTHING,
      })
      return kind === 'written' ? 'written' : 'moved'
    },

    /** Names no other attribute: a role that may note a login needs no right to passwords. */
    async noteLogin(uid, at) {
      await updateIf(documents, {
        TableName: table,
        Key: { uid },
        UpdateExpression: 'SET lastLoginAt = :at',
        ConditionExpression: 'attribute_exists(uid) AND (attribute_not_exists(lastLoginAt) OR lastLoginAt <= :before)',
        ExpressionAttributeValues: { ':at': at.getTime(), ':before': at.getTime() - NOTED_EVERY_MS },
        ...SHOW_NOTHING,
      })
    },
  }
}

const NOTED_EVERY_MS = 60_000
