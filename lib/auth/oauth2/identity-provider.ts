import type { StepRecorder } from './steps.ts'

/** What a provider says of a user, name by name. */
export type Attributes = Readonly<Record<string, unknown>>

export interface AuthorizationRequest {
  readonly redirectUri: URL
  readonly scope: string
  readonly state: string
  readonly nonce: string
  /** RFC 7636, method S256 */
  readonly codeChallenge: string
}

export interface ExpectedAnswer {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

/** One of the services that users log in with. */
export interface IdentityProvider {
  /**
   * Where to send the browser.
   * @throws ServiceError `UNAVAILABLE`
   */
  authorizationAddress(request: AuthorizationRequest): Promise<URL>
  /**
   * Who came back: turns the code in the callback's address into tokens, and these into the user's attributes.
   * @param recorder hears of the requests and checks
   * @throws LoginRefused
   */
  attributesOf(callback: URL, expected: ExpectedAnswer, recorder: StepRecorder): Promise<Attributes>
}

/** Why a login came to nothing; the log's word for it, the user gets none. */
export type LoginRefusalReason =
  | 'registration-unknown'
  | 'transaction-missing'
  | 'transaction-invalid'
  | 'state-mismatch'
  | 'registration-mismatch'
  | 'refused-by-provider'
  | 'answer-rejected'
  | 'identity-incomplete'
  | 'unavailable'

export class LoginRefused extends Error {
  override readonly name = 'LoginRefused'
  readonly reason: LoginRefusalReason
  /** What the client library calls it: one of its fixed words, never a text of the provider's. */
  readonly code: string | undefined

  constructor(reason: LoginRefusalReason, code?: string, options?: ErrorOptions) {
    super(reason, options)
    this.reason = reason
    this.code = code
  }
}
