import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { Documents } from '../../../lib/adapters/dynamodb/table.ts'
import { dynamoUserAdministration, dynamoUserStore } from '../../../lib/adapters/dynamodb/users.ts'
import type { Clock } from '../../../lib/runtime/time.ts'
import { TABLES } from '../emulated-store.ts'
import { countingIds } from '../fakes/ids.ts'
import type { Entries } from './entries.ts'

/** Accounts of the users table, changed as an administrator changes their rows. */
export async function databaseEntries(
  documents: Documents,
  table: string,
  clock: Clock,
  names: readonly string[],
): Promise<Entries> {
  const users = dynamoUserAdministration(documents, { users: table, passkeys: TABLES.passkeys })
  const { find } = dynamoUserStore(documents, table)
  const ids = countingIds()

  async function add(username: string): Promise<void> {
    const common = { passwordHash: 'first', enabled: true, createdAt: clock.now() }
    await users.add({ id: `user-${ids.unique()}`, username, roles: ['ROLE_ADMIN'], ...common })
  }

  async function rowOf(username: string) {
    const user = await find(username)
    if (!user) throw new Error(`no user ${username}`)
    return user
  }

  async function set(username: string, changes: Readonly<Record<string, unknown>>): Promise<void> {
    const names = Object.keys(changes)
    const update = new UpdateCommand({
      TableName: table,
      Key: { uid: (await rowOf(username)).id },
      UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(names.map((name) => [`:${name}`, changes[name]])),
    })
    await documents.send(update)
  }

  const remove = async (username: string) => void (await users.remove(await rowOf(username)))

  for (const name of names) await add(name)
  return {
    'role removed': (name) => set(name, { roles: [] }),
    demoted: (name) => set(name, { roles: ['ROLE_USER'] }),
    'password changed': (name) => set(name, { passwordHash: 'second', tokensValidAfter: clock.now().getTime() }),
    disabled: (name) => set(name, { enabled: false }),
    deleted: remove,
    async 'name given away'(name) {
      await remove(name)
      await add(name)
    },
  }
}
