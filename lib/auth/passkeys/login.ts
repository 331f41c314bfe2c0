import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { PasskeyAssertion } from '../../contract/requests/passkeys.ts'
import { fail } from '../../errors.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/time.ts'
import { isOver } from '../../users/credentials.ts'
import { isAccountId, storeOf } from '../../users/user.ts'
import type { AccountStates } from '../account-states.ts'
import type { CountedAttempts, LoginTrail } from '../login-attempts.ts'
import type { SessionBeginner, Sessions, SessionUser, StartedSession } from '../session.ts'
import {
  CHALLENGE_SECONDS,
  type ChallengeStore,
  newChallenge,
  type PasskeyStore,
  type PasskeyVerifier,
  randomText,
  takeChallenge,
} from './passkey.ts'

interface StartParts {
  readonly challenges: ChallengeStore
  readonly clock: Clock
  readonly baseUrl: URL
}

/**
 * What a browser needs to ask for any passkey of the service: `PublicKeyCredentialRequestOptionsJSON`, and the ticket that
 * binds its challenge to the browser.
 * @throws ServiceError `UNAVAILABLE`
 */
export async function passkeyLoginOptions(parts: StartParts) {
  const ticket = randomText()
  const options = {
    challenge: await newChallenge(parts, keyOf(ticket)),
    rpId: parts.baseUrl.hostname,
    timeout: CHALLENGE_SECONDS * 1000,
    userVerification: 'required',
    allowCredentials: [],
  }
  return { options, ticket }
}

export interface PasskeyLoginParts {
  readonly passkeys: PasskeyStore
  readonly challenges: ChallengeStore
  readonly verifier: Pick<PasskeyVerifier, 'logIn'>
  readonly accounts: Pick<AccountStates, 'find'>
  /** Those whose accounts may log in. */
  readonly stores: readonly string[]
  readonly attempts: CountedAttempts
  readonly logins: Pick<LoginTrail, 'recorded' | 'refused'>
  readonly noteLogin: (account: SessionUser) => Promise<void>
  readonly sessions: Pick<Sessions, 'start'>
  readonly clock: Clock
  readonly log: Log
}

export interface PasskeyPresented {
  readonly credential: PasskeyAssertion
  readonly ticket: string | undefined
  readonly address: string
  /** The session that the browser had before and that ends when another begins. */
  readonly sessionId: string | undefined
}

/**
 * Starts a session for the account of a passkey. Every refusal is the same, and counts like a wrong password.
 * @throws ServiceError `BAD_CREDENTIALS`, `TOO_MANY_REQUESTS`, `UNAVAILABLE`
 */
export async function logInWithPasskey(parts: PasskeyLoginParts, presented: PasskeyPresented): Promise<StartedSession> {
  const { attempts, logins, sessions, noteLogin, log } = parts
  const { credential, address, sessionId } = presented
  const { userHandle } = credential.response
  const standing = await attempts.standingOf(`passkey:${userHandle}`, address)
  const account = await attempts.make(standing, () => accountOf(parts, presented), {
    async passed(found) {
      await noteLogin(found).catch((cause) => log.warn('the time of a login was not kept', { cause }))
    },
    refused: () => logins.refused(textIn(userHandle), address),
  })
  if (!account) throw fail('BAD_CREDENTIALS', { authType: 'Passkey', reason: 'Bad credentials' })
  log.info('signed in', { attempt: 'Passkey', username: account.username, authType: account.authType })
  return logins.recorded('login.accepted', account, address, () => sessions.start(account, sessionId))
}

async function accountOf(
  parts: PasskeyLoginParts,
  { credential, ticket }: PasskeyPresented,
): Promise<SessionBeginner | undefined> {
  const challenge = ticket === undefined ? undefined : await takeChallenge(parts, keyOf(ticket))
  const uid = textIn(credential.response.userHandle)
  if (challenge === undefined || !isAccountId(uid) || !parts.stores.includes(storeOf(uid))) return undefined
  const passkey = (await parts.passkeys.list(uid)).find(({ credentialId }) => credentialId === credential.id)
  if (!passkey) return undefined
  const judged = await parts.verifier.logIn(credential, challenge, passkey)
  if ('refusal' in judged) {
    parts.log.info('passkey refused', { reason: judged.refusal })
    return undefined
  }
  const since = parts.clock.now()
  const account = await parts.accounts.find(uid)
  if (!account || isOver('passkey', passkey.loginAt, account)) return undefined
  const isCounted = await parts.passkeys.noteUse(uid, passkey.id, judged.signCount, parts.clock.now())
  if (!isCounted) return undefined
  const { username, roles } = account
  const principalType = storeOf(uid) === 'directory' ? 'DirectoryUser' : 'DatabaseUser'
  return { username, uid, roles, authType: 'PASSKEY', principalType, since }
}

function keyOf(ticket: string): string {
  return `login#${createHash('sha256').update(ticket).digest('base64url')}`
}

function textIn(userHandle: string): string {
  return Buffer.from(userHandle, 'base64url').toString()
}
