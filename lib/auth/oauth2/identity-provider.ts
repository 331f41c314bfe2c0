import type { RefusingCheck } from '../../contract/login-steps.ts'
import type { ClaimedRoles } from '../../runtime/settings/oidc.ts'
import type { StepRecorder } from './steps.ts'

/** The attributes that a provider returns for a user, by name. */
export type Attributes = Readonly<Record<string, unknown>>

export interface AuthorizationRequest {
  readonly redirectUri: URL
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
  /** The claim that gives roles, in addition to the list of administrators. */
  readonly roles?: ClaimedRoles | undefined
  /**
   * Where to send the browser.
   * @throws ServiceError `UNAVAILABLE`; LoginRefused `metadata-rejected`
   */
  authorizationAddress(request: AuthorizationRequest): Promise<URL>
  /**
   * Identifies the user: turns the code in the callback's address into tokens, and these into the user's attributes.
   * @param recorder records the requests and checks
   * @throws LoginRefused
   */
  attributesOf(callback: URL, expected: ExpectedAnswer, recorder: StepRecorder): Promise<Attributes>
}

/** Why a login failed; a word for the log, which the user does not see. */
export type LoginRefusalReason =
  | 'registration-unknown'
  | 'transaction-missing'
  | 'transaction-invalid'
  | 'state-mismatch'
  | 'registration-mismatch'
  | 'metadata-rejected'
  | 'refused-by-provider'
  | 'answer-rejected'
  | 'identity-incomplete'
  | 'unavailable'

interface RefusalOptions extends ErrorOptions {
  /** The client library's own word for it, never a text of the provider. */
  readonly code?: string | undefined
  /** The client library's own sentence: it names the member that is wrong. */
  readonly detail?: string | undefined
  /** The error code of the provider (RFC 6749 sections 4.1.2.1 and 5.2), if it is one word. */
  readonly error?: string | undefined
  /** Undefined if no known check refused. The values are whole: mask them before they are stored. */
  readonly refused?: RefusingCheck | undefined
}

export class LoginRefused extends Error {
  override readonly name = 'LoginRefused'
  readonly reason: LoginRefusalReason
  readonly code: string | undefined
  readonly detail: string | undefined
  readonly error: string | undefined
  readonly refused: RefusingCheck | undefined

  constructor(reason: LoginRefusalReason, { code, detail, error, refused, ...options }: RefusalOptions = {}) {
    super(reason, options)
    this.reason = reason
    this.code = code
    this.detail = detail
    this.error = error
    this.refused = refused
  }
}
