import { createHash, randomUUID } from 'node:crypto'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { dynamoUserStore, userItems } from '../lib/adapters/dynamodb/users.ts'
import { hashPassword } from '../lib/auth/password.ts'
import { isRole } from '../lib/users/role.ts'
import users from './demo-users.json' with { type: 'json' }

type DemoUser = (typeof users)[number]

/** Writes the demo users to the database. */
export async function seedUsers(table: string): Promise<void> {
  const documents = DynamoDBDocumentClient.from(new DynamoDBClient())
  await Promise.all(users.filter(({ store }) => store === 'jdbc').map((user) => seedUser(documents, table, user)))
}

async function seedUser(documents: DynamoDBDocumentClient, table: string, user: DemoUser): Promise<void> {
  const { username, password, role } = user
  const known = await dynamoUserStore(documents, table).find(username)
  const id = known?.id ?? randomUUID()
  const seed = digestOf(user)
  const { Item: stored } = await documents.send(new GetCommand({ TableName: table, Key: { uid: id } }))
  if (stored?.['seed'] === seed) return
  const roles = [role].filter(isRole)
  const passwordHash = await hashPassword(password)
  const [item, ...others] = userItems({ id, username, passwordHash, roles, enabled: true, createdAt: new Date() })
  const puts = [{ ...item, seed }, ...others].map((put) => ({ Put: { TableName: table, Item: put } }))
  await documents.send(new TransactWriteCommand({ TransactItems: puts }))
}

/** Lets the next start detect an unchanged entry without the cost of a password hash. */
function digestOf(user: DemoUser): string {
  return createHash('sha256').update(JSON.stringify(user)).digest('hex')
}
