import { createHash, randomBytes } from 'node:crypto'
import { loginAddress } from '../../contract/login-address.ts'
import { fail, ServiceError } from '../../errors.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { LoginTrail } from '../login-trail.ts'
import { returnAddress } from '../return-address.ts'
import type { Sessions, SessionUser, StartedSession } from '../session.ts'
import { type AuthorizationRequest, type IdentityProvider, LoginRefused } from './identity-provider.ts'
import { IDENTITY_PROVIDERS, identityOf, type ProviderId } from './providers.ts'
import { receive } from './receive.ts'
import { recordSteps, type StepRecorder } from './steps.ts'
import { type CookieChange, keepTransaction, newState, tabsOf, takeSlot } from './tabs.ts'
import type { LoginTransactions, Transaction } from './transaction.ts'

export interface OAuth2Parts {
  /** Those that are offered. */
  readonly providers: ReadonlyMap<string, IdentityProvider>
  readonly transactions: LoginTransactions
  readonly sessions: Pick<Sessions, 'start'>
  readonly logins: Pick<LoginTrail, 'accepted'>
  /** Identities, as `provider:subject`, of administrators. */
  readonly admins: readonly string[]
  readonly baseUrl: URL
  readonly clock: Clock
  readonly log: Log
}

interface Call {
  readonly registrationId: string | undefined
  readonly cookies: ReadonlyMap<string, string>
}

interface Return extends Call {
  /** As it was sent, so that nothing in it is joined or lost. */
  readonly query: string
  /** The session that the browser had before and that ends when another begins. */
  readonly sessionId: string | undefined
  /** Where the browser is. */
  readonly address: string
}

interface Departure {
  readonly location: string
  readonly cookies: readonly CookieChange[]
}

type Secrets = Pick<Transaction, 'state' | 'nonce' | 'codeVerifier'>

interface Arrival extends Departure {
  readonly started?: StartedSession
}

export interface OAuth2Login {
  /**
   * Sends a browser to a provider.
   * @throws ServiceError `ENDPOINT_NOT_FOUND` for a provider that is not offered, `UNAVAILABLE`
   */
  start(call: Call & { readonly returnTo: string | undefined }): Promise<Departure>
  /**
   * Takes a browser back that a provider sends: to where it wanted, with a session, or to the login page without one.
   */
  finish(call: Return): Promise<Arrival>
}

export function createOAuth2Login(parts: OAuth2Parts): OAuth2Login {
  const { providers, transactions, sessions, logins, admins, baseUrl, clock, log } = parts

  /** Built from the settings; a Host header names whatever its sender likes. */
  function callbackOf(registrationId: string, query = ''): URL {
    const url = new URL(`/login/oauth2/code/${registrationId}`, baseUrl)
    url.search = query
    return url
  }

  /** The same for the same transaction. */
  function requestOf(registrationId: ProviderId, { state, nonce, codeVerifier }: Secrets): AuthorizationRequest {
    return {
      redirectUri: callbackOf(registrationId),
      scope: IDENTITY_PROVIDERS[registrationId].scope,
      state,
      nonce,
      codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    }
  }

  /** @throws LoginRefused */
  async function userOf(registrationId: string, query: string, transaction: Transaction): Promise<SessionUser> {
    const provider = providers.get(registrationId)
    if (!provider || !isProviderId(registrationId)) throw new LoginRefused('registration-unknown')
    if (transaction.registrationId !== registrationId) throw new LoginRefused('registration-mismatch')
    const recorder = recordSteps()
    const callback = callbackOf(registrationId, query)
    const attributes = await provider.attributesOf(callback, transaction, recorder)
    const { subject, profile } = identityOf(registrationId, attributes)
    noteCallback(recorder, callback, transaction)
    // Where the browser was sent: the transaction holds all that the address was made of.
    const address = await provider.authorizationAddress(requestOf(registrationId, transaction))
    recorder.made('authorization', { method: 'GET', url: address })
    const username = `${registrationId}:${subject}`
    return {
      username,
      uid: username,
      roles: [admins.includes(username) ? 'ROLE_ADMIN' : 'ROLE_USER'],
      authType: 'OAuth2',
      principalType: IDENTITY_PROVIDERS[registrationId].principalType,
      oauth2: { ...profile, login: { at: clock.now().toISOString(), steps: recorder.steps() } },
    }
  }

  return {
    async start({ registrationId = '', returnTo, cookies }) {
      const provider = providers.get(registrationId)
      if (!provider || !isProviderId(registrationId)) throw fail('ENDPOINT_NOT_FOUND')
      const tabs = tabsOf(cookies)
      const slot = takeSlot(tabs)
      const [state, nonce, codeVerifier] = [newState(slot), randomText(), randomText()]
      const request = requestOf(registrationId, { state, nonce, codeVerifier })
      const location = await provider.authorizationAddress(request)
      const sealed = await transactions.seal({
        registrationId,
        state,
        nonce,
        codeVerifier,
        returnTo: returnAddress(returnTo, baseUrl),
      })
      return { location: location.href, cookies: keepTransaction(slot, sealed, tabs) }
    },

    async finish({ registrationId = '', query, cookies, sessionId, address }) {
      const received = await receive(transactions, query, cookies)
      const entry = { provider: isProviderId(registrationId) ? registrationId : 'unknown' }
      try {
        if ('refusal' in received) throw new LoginRefused(received.refusal)
        const user = await userOf(registrationId, query, received.transaction)
        const started = await sessions.start(user, sessionId)
        await logins.accepted(user, 'oauth2', address)
        log.info('OAuth2 login', entry)
        return { location: received.transaction.returnTo, cookies: received.spent, started }
      } catch (error) {
        log.warn('OAuth2 login refused', { ...entry, ...describeRefusal(error) })
        const returnTo = 'transaction' in received ? received.transaction.returnTo : '/'
        return { location: loginAddress(returnTo, noticeOf(error, registrationId, query)), cookies: received.spent }
      }
    },
  }
}

function isProviderId(text: string): text is ProviderId {
  return Object.hasOwn(IDENTITY_PROVIDERS, text)
}

/** What the login page says: that it failed, or at which provider the user canceled (RFC 6749 section 4.1.2.1). */
function noticeOf(error: unknown, registrationId: string, query: string): string {
  const isRefusal = error instanceof LoginRefused && error.reason === 'refused-by-provider'
  const isCanceled = isRefusal && new URLSearchParams(query).get('error') === 'access_denied'
  return isCanceled && isProviderId(registrationId) ? `canceled=${registrationId}` : 'error'
}

/** What had to be as it is before a provider was asked for anything, or its adapter would have refused. */
function noteCallback(recorder: StepRecorder, callback: URL, { registrationId, state }: Transaction): void {
  recorder.made('callback', { method: 'GET', url: callback })
  recorder.passed('transaction')
  recorder.passed('registration', registrationId)
  recorder.passed('state', state)
  const issuer = callback.searchParams.get('iss')
  if (issuer) recorder.passed('iss', issuer)
}

function randomText(): string {
  return randomBytes(32).toString('base64url')
}

/** For the log alone. A bug is none of the ways in which a login fails. */
function describeRefusal(error: unknown): Readonly<Record<string, unknown>> {
  if (error instanceof LoginRefused) {
    const { reason, code, cause } = error
    return { reason, ...(code !== undefined && { code }), ...(cause !== undefined && { cause }) }
  }
  if (error instanceof ServiceError && error.is('UNAVAILABLE')) return { reason: 'unavailable', cause: error }
  throw error
}
