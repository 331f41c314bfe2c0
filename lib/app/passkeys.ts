import { dynamoPasskeyStore } from '../adapters/dynamodb/passkey-store.ts'
import { dynamoChallengeStore } from '../adapters/dynamodb/sessions.ts'
import { webauthnVerifier } from '../adapters/webauthn/verifier.ts'
import { loadConfig } from '../runtime/config.ts'
import { edgeDeployed, edgeSettings } from '../runtime/settings/edge.ts'
import { arePasskeysOn, passkeySettings, passkeysDeployed } from '../runtime/settings/login.ts'
import { sessionsStoreSettings } from '../runtime/settings/stores.ts'
import { contextOf } from './edge.ts'
import { openSessions } from './sessions.ts'
import { documents, tableOf, trailOf } from './stores.ts'

/** For browsers that begin a login with a passkey. @throws ConfigError */
export function makePasskeyStart() {
  const settings = { ...edgeSettings, ...passkeySettings, ...sessionsStoreSettings }
  const config = loadConfig(settings, [...edgeDeployed, passkeysDeployed])
  const { sessions, check } = openSessions()
  return {
    ...contextOf(config),
    isOff: !arePasskeysOn(config),
    checks: { session: check },
    sessions,
    findSession: sessions.use,
    challenges: dynamoChallengeStore(documents(), config.SESSIONS_TABLE),
  }
}

/** For people who look at their passkeys. @throws ConfigError */
export function makePasskeyList() {
  return { ...makePasskeyStart(), passkeys: dynamoPasskeyStore(documents(), tableOf('PASSKEYS_TABLE')) }
}

/** For people who change them. @throws ConfigError */
export function makePasskeys() {
  return { ...makePasskeyList(), trail: trailOf() }
}

/** For people who add a passkey. @throws ConfigError */
export function makePasskeyRegistration() {
  const app = makePasskeys()
  return { ...app, verifier: webauthnVerifier(app.baseUrl) }
}
