import { webauthnVerifier } from '../../lib/adapters/webauthn/verifier.ts'
import type { AccountState } from '../../lib/auth/account-states.ts'
import { countedAttempts } from '../../lib/auth/login-attempts.ts'
import { createLoginFailures } from '../../lib/auth/login-failures.ts'
import { logInWithPasskey, passkeyLoginOptions } from '../../lib/auth/passkeys/login.ts'
import { registerPasskey, registrationOptions } from '../../lib/auth/passkeys/registration.ts'
import { createSessions } from '../../lib/auth/session.ts'
import { Authenticator, type Deviation } from './authenticator.ts'
import type { fixedClock } from './fakes/clock.ts'
import { MemoryCounter } from './fakes/counter.ts'
import { recordingLog } from './fakes/log.ts'
import { recordingMetrics } from './fakes/metrics.ts'
import { MemoryChallenges, MemoryPasskeys } from './fakes/passkeys.ts'
import { MemorySessions } from './fakes/sessions.ts'
import { recordingLogins } from './fakes/trail.ts'

export const ALICE: AccountState = { uid: 'id-1', username: 'Alice', roles: ['ROLE_USER'] }
export const BOB: AccountState = { uid: 'id-2', username: 'Bob', roles: ['ROLE_ADMIN'] }
export const CAROL: AccountState = { uid: 'ldap:entry-1', username: 'carol', roles: ['ROLE_USER'] }

const BASE_URL = new URL('https://gatehouse.example:8443')
const LIMITS = { perUser: 10, perAddress: 100, perName: 100, windowSeconds: 300 }

/** Accounts that add passkeys and log in with them, judged by the library that the service has. */
export function passkeyWorld(clock: ReturnType<typeof fixedClock>) {
  const accounts = new Map([ALICE, BOB, CAROL].map((account) => [account.uid, account]))
  const kept = new MemorySessions()
  const states = { find: async (uid: string) => accounts.get(uid), end: async () => {} }
  const noted: string[] = []
  const logins = recordingLogins()
  const parts = {
    baseUrl: BASE_URL,
    clock,
    passkeys: new MemoryPasskeys(),
    challenges: new MemoryChallenges(),
    verifier: webauthnVerifier(BASE_URL),
    accounts: states,
    stores: ['database', 'directory'],
    attempts: countedAttempts({
      failures: createLoginFailures(new MemoryCounter(), LIMITS, clock),
      metrics: recordingMetrics(),
      logins,
    }),
    logins,
    noteLogin: async ({ uid }: { readonly uid: string }) => void noted.push(uid),
    sessions: createSessions({ store: kept, clock, idleSeconds: 1800, maximumSeconds: 43_200, accounts: states }),
    log: recordingLog(),
  }
  const ownerOf = ({ uid, username }: AccountState) => ({
    uid,
    username,
    sessionKey: `session of ${username}`,
    loginAt: clock.now(),
  })

  /** Adds a passkey of a new authenticator. */
  async function register(account: AccountState, deviation?: Deviation, name = 'laptop') {
    const authenticator = new Authenticator(BASE_URL.origin)
    const credential = authenticator.create(await registrationOptions(parts, ownerOf(account)), deviation)
    return { authenticator, shown: await registerPasskey(parts, ownerOf(account), { name, credential }) }
  }

  /** Logs in; the session that began. */
  async function logIn(authenticator: Authenticator, deviation?: Deviation, sessionId?: string) {
    const { options, ticket } = await passkeyLoginOptions(parts)
    return present(authenticator.get(options, deviation), ticket, sessionId)
  }

  async function present(credential: ReturnType<Authenticator['get']>, ticket?: string, sessionId?: string) {
    const { id } = await logInWithPasskey(parts, { credential, ticket, address: '192.0.2.1', sessionId })
    return parts.sessions.use(id)
  }

  return { parts, accounts, kept, noted, ownerOf, register, logIn, present }
}
