import { createHash, randomUUID } from 'node:crypto'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { toUser, type UserItem, userItems } from '../lib/adapters/dynamodb/user-item.ts'
import { hashPassword } from '../lib/auth/password.ts'
import { isRole } from '../lib/users/role.ts'
import { userKey } from '../lib/users/user.ts'
import users from './demo-users.json' with { type: 'json' }

type DemoUser = (typeof users)[number]

/** Writes the demo users to the database. */
export async function seedUsers(table: string): Promise<void> {
  const documents = DynamoDBDocumentClient.from(new DynamoDBClient())
  await Promise.all(users.filter(({ store }) => store === 'jdbc').map((user) => seedUser(documents, table, user)))
}

async function seedUser(documents: DynamoDBDocumentClient, table: string, user: DemoUser): Promise<void> {
  const key = { username: userKey(user.username) }
  const { Item: stored } = await documents.send(new GetCommand({ TableName: table, Key: key }))
  const seed = digestOf(user)
  if (stored?.['seed'] === seed) return
  const { username, password, role } = user
  const id = stored ? toUser(stored as UserItem).id : randomUUID()
  const roles = [role].filter(isRole)
  const [item, pointer] = userItems({ id, username, passwordHash: await hashPassword(password), roles, enabled: true })
  const puts = [{ ...item, seed }, pointer].map((put) => ({ Put: { TableName: table, Item: put } }))
  await documents.send(new TransactWriteCommand({ TransactItems: puts }))
}

/** Lets the next start detect an unchanged entry without the cost of a password hash. */
function digestOf(user: DemoUser): string {
  return createHash('sha256')
    .update(JSON.stringify(['with id', user]))
    .digest('hex')
}
