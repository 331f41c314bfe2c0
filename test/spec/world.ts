import { randomBytes } from 'node:crypto'
import { openDataFolder } from '../../localstack/data-folder.ts'
import { startDynamoDb } from '../../localstack/emulators/dynamodb.ts'
import { HOST } from '../../localstack/ports.ts'
import { postPayment } from '../support/events.ts'
import { freePort } from '../support/free-port.ts'
import { serve } from '../support/served.ts'
import { DIRECT, freeOffset, startStack, temporaryFolder } from '../support/stack.ts'
import { type Caller, callersOf, guestsOf } from './callers.ts'
import { failingPayment } from './failing-payment.ts'
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

const MINUTE = 60_000

const key = () => randomBytes(64).toString('base64url')
const FIRST_KEY = key()
/** Signs nothing, but verifies. */
export const SECOND_KEY = key()

/** A world in which time runs fast. */
export interface HastyWorld extends World {
  /** The id of a payment event whose handling has been failing since the start, and will be. */
  readonly failing: string
}

/** How many calls a minute an endpoint takes of one address where not all is well. */
export const LOW_LIMIT = 20

/** In milliseconds, where time runs fast. */
export const HASTE = { delays: [600, 1200], scanInterval: 500, tokenLifetime: 7_200_000 } as const

/** The service with its default settings. */
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

/** Retries come within a second, and tokens end after two hours. */
export async function startHastyWorld(profile: Profile): Promise<HastyWorld> {
  const world = await startWith(profile, {
    JWT_LIFETIME_SECONDS: String(HASTE.tokenLifetime / 1000),
    WEBHOOK_RETRY_DELAY_MINUTES: HASTE.delays.map((delay) => delay / MINUTE).join(','),
    WEBHOOK_RETRY_SCAN_INTERVAL_MS: String(HASTE.scanInterval),
    WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: '10000',
  })
  const payload = await failingPayment()
  await postPayment(payload)
  return { ...world, failing: payload.eventId }
}

async function startWith(profile: Profile, settings: Readonly<Record<string, string>>): Promise<World> {
  const data = temporaryFolder()
  const stack = await startStack(
    {
      PORT_OFFSET: String(await freeOffset()),
      DATA_DIR: data.path,
      PROFILE: profile,
      JWT_KEYS: `first:${FIRST_KEY},second:${SECOND_KEY}`,
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
  serve({ http: stack.ready.http, ready: stack.ready, jwtSecret: FIRST_KEY })
  try {
    const people = await peopleOf(profile)
    return { ...ABILITIES[profile], ...people, profile, store: ABILITIES[profile].stores[0], stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function peopleOf(profile: Profile): Promise<Pick<World, 'admins' | 'users' | 'guests' | 'admin'>> {
  const [admins, users, guests] = await Promise.all([
    callersOf(profile, 'ROLE_ADMIN'),
    callersOf(profile, 'ROLE_USER'),
    guestsOf(profile),
  ])
  const [admin] = admins
  if (!admin) throw new Error(`nobody gets into ${profile}`)
  return { admins, users, guests, admin }
}
