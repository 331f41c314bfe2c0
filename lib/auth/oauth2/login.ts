import { createHash, randomBytes } from 'node:crypto'
import { loginAddress } from '../../contract/console.ts'
import { fail, ServiceError } from '../../errors.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/time.ts'
import { returnAddress } from '../csrf.ts'
import type { LoginTrail } from '../login-attempts.ts'
import type { Sessions, SessionUser, StartedSession } from '../session.ts'
import { type AuthorizationRequest, type IdentityProvider, LoginRefused } from './identity-provider.ts'
import { IDENTITY_PROVIDERS, identityOf, type ProviderId } from './providers.ts'
import { labOf, masked, type Received, receive, showRefused } from './receive.ts'
import { type LoginRecorder, recordSteps, type StepRecorder } from './steps.ts'
import {
  type CookieChange,
  keepTransaction,
  type LoginTransactions,
  newState,
  type Transaction,
  tabsOf,
  takeSlot,
} from './transaction.ts'

export interface OAuth2Parts {
  /** Those that are offered. */
  readonly providers: ReadonlyMap<string, IdentityProvider>
  readonly transactions: LoginTransactions
  readonly sessions: Pick<Sessions, 'start'>
  readonly logins: Pick<LoginTrail, 'recorded'>
  /** Identities, as `provider:subject`, of administrators. */
  readonly admins: readonly string[]
  readonly baseUrl: URL
  /** Whether the console may show a browser why its login was refused: on the local stage alone. */
  readonly showsRefusals: boolean
  readonly clock: Clock
  readonly log: Log
}

interface Call {
  readonly registrationId: string | undefined
  readonly cookies: ReadonlyMap<string, string>
}

interface Return extends Call {
  /** The query as it was sent, so that no parameter is joined or lost. */
  readonly query: string
  /** The session that the browser had before; it ends when another begins. */
  readonly sessionId: string | undefined
  /** The IP address of the browser. */
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
   * Receives a browser that comes back from a provider. It goes to its original target with a session, or to the login
   * page without one.
   */
  finish(call: Return): Promise<Arrival>
}

export function createOAuth2Login(parts: OAuth2Parts): OAuth2Login {
  const { providers, transactions, sessions, logins, admins, baseUrl, showsRefusals, clock, log } = parts

  /** Built from the settings, because the sender of a request chooses its Host header. */
  function callbackOf(registrationId: string, query = ''): URL {
    const url = new URL(`/login/oauth2/code/${registrationId}`, baseUrl)
    url.search = query
    return url
  }

  /** Always the same for the same transaction. */
  function requestOf(registrationId: ProviderId, { state, nonce, codeVerifier }: Secrets): AuthorizationRequest {
    return {
      redirectUri: callbackOf(registrationId),
      scope: IDENTITY_PROVIDERS[registrationId].scope,
      state,
      nonce,
      codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    }
  }

  /** Records the address that the browser was sent to, built again from the transaction. */
  async function noteDeparture(recorder: StepRecorder, registrationId: string, transaction: Transaction) {
    const provider = providers.get(registrationId)
    if (!provider || !isProviderId(registrationId)) return
    const url = await provider.authorizationAddress(requestOf(registrationId, transaction))
    recorder.made('authorization', { method: 'GET', url })
  }

  /** @throws LoginRefused */
  async function userOf(
    { registrationId = '', query }: Return,
    transaction: Transaction,
    recorder: LoginRecorder,
  ): Promise<SessionUser> {
    const provider = providers.get(registrationId)
    const refused = { check: 'registration', expected: transaction.registrationId, got: registrationId } as const
    if (!provider || !isProviderId(registrationId)) throw new LoginRefused('registration-unknown', { refused })
    if (transaction.registrationId !== registrationId) throw new LoginRefused('registration-mismatch', { refused })
    const callback = callbackOf(registrationId, query)
    noteCallback(recorder, callback, transaction)
    const attributes = await provider.attributesOf(callback, transaction, recorder)
    const { subject, profile } = identityOf(registrationId, attributes)
    await noteDeparture(recorder, registrationId, transaction)
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

  /** To the login page, which does not show the reason. */
  function toLoginPage({ registrationId = '', query }: Return, received: Received, refusal: LoginRefused): Departure {
    const returnTo = 'transaction' in received ? received.transaction.returnTo : '/'
    const notice = noticeOf(refusal, registrationId, query)
    return { location: loginAddress(returnTo, notice), cookies: received.spent }
  }

  /** To the page of the console that shows which check refused. */
  async function showLab(
    lab: string,
    { registrationId = '' }: Return,
    received: Received,
    recorder: LoginRecorder,
    { reason, refused: whole }: LoginRefused,
  ): Promise<Departure> {
    const transaction = 'transaction' in received ? received.transaction : undefined
    if (transaction) await noteDeparture(recorder, transaction.registrationId, transaction)
    const refused = whole && masked(whole)
    const steps = recorder.stepsUntil(refused?.check ?? 'iss')
    const provider = transaction?.registrationId ?? registrationId
    const { location, cookie } = showRefused({ lab, provider, at: clock.now().toISOString(), steps, reason, refused })
    return { location, cookies: [...received.spent, cookie] }
  }

  function leave(call: Return, received: Received, recorder: LoginRecorder, refusal: LoginRefused) {
    const lab = showsRefusals ? labOf(call.query) : undefined
    return lab === undefined ? toLoginPage(call, received, refusal) : showLab(lab, call, received, recorder, refusal)
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

    async finish(call) {
      const { registrationId = '', query, cookies, sessionId, address } = call
      const recorder = recordSteps()
      recorder.made('callback', { method: 'GET', url: callbackOf(registrationId, query) })
      const received = await receive(transactions, query, cookies)
      const entry = { provider: isProviderId(registrationId) ? registrationId : 'unknown' }
      try {
        if ('refusal' in received) throw received.refusal
        const user = await userOf(call, received.transaction, recorder)
        const start = () => sessions.start(user, sessionId)
        const started = await logins.recorded('login.accepted', user, address, start)
        log.info('OAuth2 login', entry)
        return { location: received.transaction.returnTo, cookies: received.spent, started }
      } catch (error) {
        const refusal = refusalOf(error)
        log.warn('OAuth2 login refused', { ...entry, ...describeRefusal(refusal) })
        return leave(call, received, recorder, refusal)
      }
    },
  }
}

function isProviderId(text: string): text is ProviderId {
  return Object.hasOwn(IDENTITY_PROVIDERS, text)
}

/**
 * The parameters of the login page: that the login failed, or at which provider the user canceled (RFC 6749 section
 * 4.1.2.1).
 */
function noticeOf({ reason }: LoginRefused, registrationId: string, query: string): string {
  const isRefusal = reason === 'refused-by-provider'
  const isCanceled = isRefusal && new URLSearchParams(query).get('error') === 'access_denied'
  return isCanceled && isProviderId(registrationId) ? `canceled=${registrationId}` : 'error'
}

/**
 * Records the checks of a callback as passed: if one fails, this service or the provider's adapter refuses the login.
 */
function noteCallback(recorder: StepRecorder, callback: URL, { registrationId, state }: Transaction): void {
  recorder.passed('transaction')
  recorder.passed('state', state)
  recorder.passed('registration', registrationId)
  const issuer = callback.searchParams.get('iss')
  if (issuer) recorder.passed('iss', issuer)
  recorder.passed('answer')
}

function randomText(): string {
  return randomBytes(32).toString('base64url')
}

/** @throws the error itself if it is a bug and not a failed login */
function refusalOf(error: unknown): LoginRefused {
  if (error instanceof LoginRefused) return error
  if (error instanceof ServiceError && error.is('UNAVAILABLE')) return new LoginRefused('unavailable', { cause: error })
  throw error
}

/** For the log alone. */
function describeRefusal({ reason, code, refused, cause }: LoginRefused): Readonly<Record<string, unknown>> {
  return {
    reason,
    ...(refused && { check: refused.check }),
    ...(code !== undefined && { code }),
    ...(cause !== undefined && { cause }),
  }
}
