import type { IdentityProvider } from '../../lib/auth/oauth2/identity-provider.ts'
import { createOAuth2Login } from '../../lib/auth/oauth2/login.ts'
import { createTransactions } from '../../lib/auth/oauth2/transaction.ts'
import type { SessionUser } from '../../lib/auth/session.ts'
import { systemClock } from '../../lib/runtime/time.ts'
import { recordingLog } from './fakes/log.ts'
import { recordingLogins } from './fakes/trail.ts'

export interface Outcome {
  readonly location: string
  /** Whose sessions were begun. */
  readonly users: readonly SessionUser[]
  readonly reason: unknown
  readonly code: unknown
  /** The check that refused, in the log. */
  readonly check: unknown
  /** What the log says besides. */
  readonly entry: Readonly<Record<string, unknown>>
  /** Everything that was logged, causes with their texts included. */
  readonly log: string
}

/**
 * One login with a real adapter, from its start to its end, and only the store of sessions made up.
 * @param atProvider plays the browser at the provider: from its address to that of the callback
 */
export async function loginWith(
  registrationId: string,
  provider: IdentityProvider,
  atProvider: (location: URL) => Promise<URL>,
): Promise<Outcome> {
  const log = recordingLog()
  const users: SessionUser[] = []
  const login = createOAuth2Login({
    providers: new Map([[registrationId, provider]]),
    transactions: createTransactions({ current: [Buffer.alloc(32, 7)] }, systemClock),
    sessions: {
      start: async (user) => {
        users.push(user)
        return { id: 'id', key: 'key' }
      },
    },
    logins: recordingLogins(),
    admins: [],
    baseUrl: new URL('https://gatehouse.example'),
    showsRefusals: false,
    clock: systemClock,
    log,
  })
  const { location, cookies } = await login.start({ registrationId, returnTo: '/wanted', cookies: new Map() })
  const isBegun = !location.startsWith('/')
  const callback = isBegun ? await atProvider(new URL(location)) : new URL('https://gatehouse.example')
  const finish = () =>
    login.finish({
      registrationId,
      query: callback.search.slice(1),
      cookies: new Map(cookies.map(({ name, value = '' }) => [name, value])),
      sessionId: undefined,
      address: '192.0.2.1',
    })
  const arrival = isBegun ? await finish() : { location }
  const [refused] = log.of('OAuth2 login refused')
  const text = JSON.stringify(log.entries, (_, value) => (value instanceof Error ? describe(value) : value))
  const { reason, code, check } = refused ?? {}
  return { location: arrival.location, users, reason, code, check, entry: refused ?? {}, log: text }
}

function describe({ name, message, cause }: Error): object {
  return { name, message, cause }
}

/** Follows the one redirect of a provider that asks nothing. */
export async function followOnce(location: URL): Promise<URL> {
  const response = await fetch(location, { redirect: 'manual' })
  await response.text()
  return new URL(response.headers.get('location') ?? '')
}
