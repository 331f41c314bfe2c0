import process from 'node:process'
import type { Documents } from '../../lib/adapters/dynamodb/table.ts'
import { dynamoUserAdministration } from '../../lib/adapters/dynamodb/users.ts'
import { type AdapterProcess, startAdapter } from './adapter-process.ts'
import { type EmulatedStore, emulatedStore, TABLES } from './emulated-store.ts'
import { claims, forge, HEADER } from './forge.ts'

const SECRET = Buffer.alloc(64, 7).toString('base64url')

/** What `addAdmin` makes the account of. */
export const ADMIN_TOKEN = forge(claims({ sub: 'admin', role: 'ROLE_ADMIN' }), HEADER, 'sha512', SECRET)

/** Settings of a container that has its tables from the emulator. */
export function adapterSettings(): Readonly<Record<string, string>> {
  const { AWS_ENDPOINT_URL_DYNAMODB = '' } = process.env
  return {
    AWS_ENDPOINT_URL_DYNAMODB,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    JWT_KEYS: `test:${SECRET}`,
    BASE_URL: 'http://127.0.0.1',
    EVENTS_TABLE: TABLES.events,
    DELIVERIES_TABLE: TABLES.deliveries,
    KEYS_TABLE: TABLES.keys,
    USERS_TABLE: TABLES.users,
    SESSIONS_TABLE: TABLES.sessions,
    MESSAGES_TABLE: TABLES.messages,
    AUDIT_TABLE: TABLES.audit,
    RETRY_QUEUE_URL: 'http://127.0.0.1/none',
    STOMP_CONNECTIONS_PER_USER: '1000',
    CHANNELS_ANONYMOUS_PER_ADDRESS: '512',
    DRAIN_SECONDS: '5',
  }
}

/** Stores the account that tokens of `claims()` name: an administrator, older than any token. */
export async function addAdmin(documents: Documents, table: string): Promise<void> {
  const [username, id] = ['admin', '0198c0de-0000-7000-8000-000000000001']
  const [passwordHash, createdAt] = ['none', new Date(0)]
  const user = { id, username, passwordHash, roles: ['ROLE_ADMIN' as const], enabled: true, createdAt }
  const outcome = await dynamoUserAdministration(documents, { users: table, passkeys: 'none' }).add(user)
  if (outcome !== 'added') throw new Error(`the account was not added: ${outcome}`)
}

/** Three containers of one stage, with an emulator of their tables. */
export interface Instances {
  readonly store: EmulatedStore
  readonly adapters: AdapterProcess[]
  stop(): Promise<void>
}

export async function threeInstances(): Promise<Instances> {
  const store = await emulatedStore('dynoxide')
  await addAdmin(store.documents, TABLES.users)
  const adapters = await Promise.all([1, 2, 3].map(() => startAdapter(adapterSettings())))
  return {
    store,
    adapters,
    async stop() {
      for (const { child } of adapters) child.kill('SIGKILL')
      await store.stop()
    },
  }
}
