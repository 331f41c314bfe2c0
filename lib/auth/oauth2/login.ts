import { createHash, randomBytes } from 'node:crypto'
import { loginAddress } from '../../contract/console.ts'
import { fail, ServiceError } from '../../errors.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/time.ts'
import type { Role } from '../../users/role.ts'
import { returnAddress } from '../csrf.ts'
import type { LoginTrail } from '../login-attempts.ts'
import type { Sessions, SessionUser, StartedSession } from '../session.ts'
import { explain, type Fault } from './explain.ts'
import { type Attributes, type AuthorizationRequest, type IdentityProvider, LoginRefused } from './identity-provider.ts'
import { claimedRole, identityOf } from './providers.ts'
import { labOf, type Received, receive, showRefused } from './receive.ts'
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

/** A start or a callback that was refused. */
type Refused = Pick<Call, 'registrationId'> & Partial<Pick<Return, 'query'>>

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
  function requestOf(registrationId: string, { state, nonce, codeVerifier }: Secrets): AuthorizationRequest {
    return {
      redirectUri: callbackOf(registrationId),
      state,
      nonce,
      codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    }
  }

  /** Records the address that the browser was sent to, built again from the transaction. */
  async function noteDeparture(recorder: StepRecorder, transaction: Transaction) {
    const { registrationId } = transaction
    const url = await providers
      .get(registrationId)
      ?.authorizationAddress(requestOf(registrationId, transaction))
      .catch(nowhere)
    if (url) recorder.made('authorization', { method: 'GET', url })
  }

  /** @throws LoginRefused */
  async function userOf(
    { registrationId = '', query }: Return,
    transaction: Transaction,
    recorder: LoginRecorder,
  ): Promise<SessionUser> {
    const provider = providers.get(registrationId)
    const refused = { check: 'registration', expected: transaction.registrationId, got: registrationId } as const
    if (!provider) throw new LoginRefused('registration-unknown', { refused })
    if (transaction.registrationId !== registrationId) throw new LoginRefused('registration-mismatch', { refused })
    const callback = callbackOf(registrationId, query)
    noteCallback(recorder, callback, transaction)
    const attributes = await provider.attributesOf(callback, transaction, recorder)
    const { subject, principalType, profile } = identityOf(registrationId, attributes)
    await noteDeparture(recorder, transaction)
    const username = `${registrationId}:${subject}`
    const isListed = admins.includes(username)
    const claimed = claimedBy(provider, attributes, recorder)
    const isClaimed = !isListed && claimed === 'ROLE_ADMIN'
    const roles = [isListed || isClaimed ? 'ROLE_ADMIN' : 'ROLE_USER'] as const
    const login = { at: clock.now().toISOString(), steps: recorder.steps() }
    const oauth2 = { ...profile, ...(isClaimed && { claimed }), login }
    return { username, uid: username, roles, authType: 'OAuth2', principalType, oauth2 }
  }

  /**
   * To the login page, which says whose fault it was. On the local stage the console shows the steps, at once if the
   * browser asked for that.
   */
  async function leave(
    { registrationId = '', query = '' }: Refused,
    received: Pick<Received, 'spent'> & { readonly transaction?: Transaction },
    recorder: LoginRecorder,
    refusal: LoginRefused,
  ): Promise<Departure> {
    const { transaction, spent } = received
    const provider = providers.has(registrationId) ? registrationId : 'unknown'
    const explained = explain(refusal, { provider, step: recorder.lastStep() })
    const { reason, code, detail, error, refused: whole, cause } = refusal
    log.warn('OAuth2 login refused', {
      provider,
      reason,
      check: whole?.check,
      code,
      error,
      detail,
      ...explained,
      cause,
    })
    const location = loginAddress(transaction?.returnTo ?? '/', noticeOf(refusal, provider, explained.fault))
    if (!showsRefusals) return { location, cookies: spent }
    if (transaction) await noteDeparture(recorder, transaction)
    const lab = labOf(query)
    const begun = transaction?.registrationId ?? registrationId
    const login = { lab, provider: begun, at: clock.now().toISOString(), reason, change: explained.change }
    const shown = showRefused(login, recorder, whole)
    return { location: lab === '' ? location : shown.location, cookies: [...spent, shown.cookie] }
  }

  return {
    async start({ registrationId = '', returnTo, cookies }) {
      const provider = providers.get(registrationId)
      if (!provider) throw fail('ENDPOINT_NOT_FOUND')
      const tabs = tabsOf(cookies)
      const slot = takeSlot(tabs)
      const [state, nonce, codeVerifier] = [newState(slot), randomText(), randomText()]
      const request = requestOf(registrationId, { state, nonce, codeVerifier })
      let location: URL
      try {
        location = await provider.authorizationAddress(request)
      } catch (error) {
        if (!(error instanceof LoginRefused)) throw error
        return leave({ registrationId }, { spent: [] }, recordSteps(), error)
      }
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
      try {
        if ('refusal' in received) throw received.refusal
        const user = await userOf(call, received.transaction, recorder)
        const start = () => sessions.start(user, sessionId)
        const started = await logins.recorded('login.accepted', user, address, start)
        log.info('OAuth2 login', { provider: registrationId })
        return { location: received.transaction.returnTo, cookies: received.spent, started }
      } catch (error) {
        return leave(call, received, recorder, refusalOf(error))
      }
    },
  }
}

/**
 * The parameters of the login page: whose fault it is that the login failed, or at which provider the user canceled (RFC
 * 6749 section 4.1.2.1).
 */
function noticeOf({ reason, error }: LoginRefused, id: string, fault: Fault): string {
  const isCanceled = reason === 'refused-by-provider' && error === 'access_denied'
  if (fault === 'service') return 'unavailable'
  return isCanceled ? `canceled=${id}` : `error=provider&id=${id}&fault=${fault}`
}

function claimedBy({ roles }: IdentityProvider, attributes: Attributes, recorder: StepRecorder): Role | undefined {
  if (!roles) return undefined
  const claimed = claimedRole(attributes, roles)
  recorder.passed('role', `${roles.claim}: ${claimed ?? 'no role'}`)
  return claimed
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

/** For a provider whose metadata is gone since the login began: the refusal says so. */
function nowhere(error: unknown): undefined {
  refusalOf(error)
}

function randomText(): string {
  return randomBytes(32).toString('base64url')
}

/** @throws the error itself if it is a bug and not a failed login */
function refusalOf(error: unknown): LoginRefused {
  if (error instanceof LoginRefused) return error
  if (error instanceof ServiceError && error.is('UNAVAILABLE'))
    return new LoginRefused('unavailable', { code: 'STORE', cause: error })
  throw error
}
