import { randomBytes } from 'node:crypto'
import { openDataFolder } from '../../localstack/stack/data-folder.ts'
import { startDynamoDb } from '../../localstack/stack/emulators/dynamodb.ts'
import { HOST } from '../../localstack/stack/ports.ts'
import { freePort } from '../support/free-port.ts'
import { serve } from '../support/served.ts'
import { DIRECT, freeOffset, startStack, temporaryFolder } from '../support/stack.ts'
import { type Caller, callersOf, guestsOf } from './callers.ts'
import { ABILITIES, type Abilities, type Profile, type Store } from './profiles.ts'

/** A running service of one profile, with people in front of it. */
export interface World extends Abilities {
  readonly profile: Profile
  /** The first of the stores. */
  readonly store: Store
  /** One for each kind of credentials that counts here, as are the users. */
  readonly admins: readonly Caller[]
  readonly users: readonly Caller[]
  /** People without a role, where the profile knows any. */
  readonly guests: readonly Caller[]
  /** One of the admins. */
  readonly admin: Caller
  stop(): Promise<void>
}

/** A world in which not all is well. */
export interface AdverseWorld extends World {
  /** Takes the store away for good; once is enough. */
  loseStore(): Promise<void>
}

const key = () => randomBytes(64).toString('base64url')

/** How many calls a minute an endpoint takes of one address where not all is well. */
export const LOW_LIMIT = 20

/** The service of all api tests: its settings are the defaults, but for limits and the delays of retries. */
export async function enterWorld(): Promise<World> {
  return worldOf('default', async () => {})
}

/** A service with its default settings. */
export function startWorld(profile: Profile): Promise<World> {
  return startWith(profile, {})
}

/** Admins may only read, only payments have a secret and have to be signed, and the store can be lost. */
export async function startAdverseWorld(profile: Profile): Promise<AdverseWorld> {
  const data = openDataFolder('memory')
  const port = await freePort()
  const { part, up } = startDynamoDb('dynoxide', { host: HOST, port }, data)
  await up
  const world = await startWith(profile, {
    AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${port}`,
    ROLE_PERMISSIONS: JSON.stringify({ ROLE_ADMIN: { User: ['READ'] } }),
    WEBHOOK_PAYMENT_SIGNATURE: 'required',
    WEBHOOK_SECRETS: JSON.stringify({ payment: 'the secret of payments' }),
    WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: String(LOW_LIMIT),
  })
  return {
    ...world,
    loseStore: async () => void (await part.stop()),
    async stop() {
      await world.stop()
      await part.stop()
      data.close()
    },
  }
}

async function startWith(profile: Profile, settings: Readonly<Record<string, string>>): Promise<World> {
  const data = temporaryFolder()
  const [jwtSecret, secondSecret] = [key(), key()]
  const stack = await startStack(
    {
      PORT_OFFSET: String(await freeOffset()),
      DATA_DIR: data.path,
      PROFILE: profile,
      JWT_KEYS: `first:${jwtSecret},second:${secondSecret}`,
      LOGIN_FAILURES_PER_USER: '10000',
      LOGIN_FAILURES_PER_ADDRESS: '10000',
      LOGIN_FAILURES_PER_NAME: '10000',
      TRUSTED_PROXIES: '127.0.0.1',
      ...settings,
    },
    [],
    [],
    DIRECT,
  )
  async function stop() {
    await stack.stop()
    data.remove()
  }
  serve({ http: stack.ready.http, ready: stack.ready, jwtSecret, secondSecret })
  try {
    return await worldOf(profile, stop)
  } catch (error) {
    await stop()
    throw error
  }
}

async function worldOf(profile: Profile, stop: () => Promise<void>): Promise<World> {
  const [admins, users, guests] = await Promise.all([
    callersOf(profile, 'ROLE_ADMIN'),
    callersOf(profile, 'ROLE_USER'),
    guestsOf(profile),
  ])
  const [admin] = admins
  if (!admin) throw new Error(`nobody gets into ${profile}`)
  return { ...ABILITIES[profile], admins, users, guests, admin, profile, store: ABILITIES[profile].stores[0], stop }
}
