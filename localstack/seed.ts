import { createHash } from 'node:crypto'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { hashPassword } from '../lib/auth/password.ts'
import { userKey } from '../lib/users/user.ts'
import users from './demo-users.json' with { type: 'json' }

type DemoUser = (typeof users)[number]

/** Writes the demo users as `lib/adapters/dynamodb/user-store.ts` reads them. */
export async function seedUsers(table: string): Promise<void> {
  const documents = DynamoDBDocumentClient.from(new DynamoDBClient())
  await Promise.all(users.map((user) => seedUser(documents, table, user)))
}

async function seedUser(documents: DynamoDBDocumentClient, table: string, user: DemoUser): Promise<void> {
  const username = userKey(user.username)
  const { Item: stored } = await documents.send(new GetCommand({ TableName: table, Key: { username } }))
  const seed = digestOf(user)
  if (stored?.['seed'] === seed) return
  const { username: name, password, role } = user
  const item = { username, name, passwordHash: await hashPassword(password), roles: [role], enabled: true, seed }
  await documents.send(new PutCommand({ TableName: table, Item: item }))
}

/** Tells at the next start whether the entry is still the same, without the cost of a password hash. */
function digestOf(user: DemoUser): string {
  return createHash('sha256').update(JSON.stringify(user)).digest('hex')
}
