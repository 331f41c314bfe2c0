import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dynamoUserStore } from '../../lib/adapters/dynamodb/user-store.ts'
import type { User, UserStore } from '../../lib/users/user.ts'
import { type EmulatedStore, emulatedStore, runnableEngines, TABLES } from '../support/emulated-store.ts'
import { MemoryUsers } from '../support/fakes/users.ts'

interface Stores {
  readonly users: UserStore
  stop(): Promise<void>
}

const ALICE: User = {
  username: 'Alice',
  passwordHash: '$argon2id$1',
  roles: ['ROLE_ADMIN', 'ROLE_USER'],
  enabled: true,
}

const IMPLEMENTATIONS: readonly (readonly [string, () => Promise<Stores>])[] = [
  ['the fake', async () => ({ users: new MemoryUsers(ALICE), stop: async () => {} })],
  ...runnableEngines().map((engine) => [engine, async () => emulated(await emulatedStore(engine))] as const),
]

async function emulated({ documents, stop }: EmulatedStore): Promise<Stores> {
  const { username: name, ...user } = ALICE
  await documents.send(new PutCommand({ TableName: TABLES.users, Item: { ...user, username: 'alice', name } }))
  return { users: dynamoUserStore(documents, TABLES.users), stop }
}

describe.each(IMPLEMENTATIONS)('%s keeps users', (_, start) => {
  let stores: Stores

  beforeAll(async () => {
    stores = await start()
  })
  afterAll(() => stores.stop())

  it.each(['Alice', 'alice', 'ALICE'])('and finds one by the name in any case: %s', async (name) => {
    expect(await stores.users.find(name)).toEqual(ALICE)
  })

  it('and knows nobody else', async () => {
    expect(await stores.users.find('bob')).toBeUndefined()
  })

  it('and replaces a password hash only if it is still the one that was read', async () => {
    await stores.users.replacePasswordHash('alice', 'another', '$argon2id$2')
    expect((await stores.users.find('alice'))?.passwordHash).toBe('$argon2id$1')
    await stores.users.replacePasswordHash('alice', '$argon2id$1', '$argon2id$2')
    expect((await stores.users.find('alice'))?.passwordHash).toBe('$argon2id$2')
    await stores.users.replacePasswordHash('bob', '$argon2id$1', '$argon2id$2')
  })
})
