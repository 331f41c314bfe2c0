import type { StepName } from '../../contract/login-steps.ts'
import type { LoginRefused } from './identity-provider.ts'

/** Who can do something about a refused login: who logs in, the provider, who sets up this service; or it passes. */
export type Fault = 'person' | 'provider' | 'settings' | 'service'

/** Whose fault a refused login is, and what to change; without any value that was sent. */
export interface Explanation {
  readonly fault: Fault
  readonly change: string
}

interface Place {
  /** The id of the provider. */
  readonly provider: string
  /** The last request of the login. */
  readonly step: StepName | undefined
}

/** @param place where the login was refused */
export function explain({ reason, code, error, refused }: LoginRefused, place: Place): Explanation {
  const words = [error, code && `${reason} ${code}`, `${code} ${place.step}`, refused?.check, code, reason]
  const known = words.map((word) => CAUSES.find(([named]) => word !== undefined && named.split(', ').includes(word)))
  const [, fault, change] = known.find((cause) => cause !== undefined) ?? ANSWER
  return { fault, change: change.replaceAll(/\{(\w+)\}/g, (_, name) => placeNamed(name, place)) }
}

type Cause = readonly [words: string, fault: Fault, change: string]

const AGAIN = 'begin the login again, in one browser and within ten minutes'
const CLIENT = 'compare {clientId} and {secret} with the client there, and how that client authenticates'
const FLOW = 'allow the client there the code flow with PKCE (S256), and the redirect address {callback}'
const TO_FINISH = 'finish at the provider what it asks for, or let an administrator there allow this client'
const ANSWER: Cause = [
  '',
  'provider',
  'the provider has to answer the request “{step}” as OpenID Connect says: see the detail',
]

/**
 * By words: the provider's error, reason and code, code and last request, check, code, or reason; the first that is known.
 */
const CAUSES: readonly Cause[] = [
  [
    'access_denied, login_required, interaction_required, consent_required, account_selection_required',
    'person',
    TO_FINISH,
  ],
  ['transaction-missing, transaction-invalid, state-mismatch', 'person', AGAIN],
  ['bad_verification_code, code', 'person', `${AGAIN}: the provider takes a code once, for minutes`],
  ['pkce', 'person', `${AGAIN}: the code is that of another login`],
  ['invalid_scope', 'settings', 'ask for fewer scopes: {scopes}'],
  ['OAUTH_WWW_AUTHENTICATE_CHALLENGE user', 'settings', 'ask for the scopes that open the user info: {scopes}'],
  ['invalid_client, incorrect_client_credentials, audience, OAUTH_WWW_AUTHENTICATE_CHALLENGE', 'settings', CLIENT],
  ['unauthorized_client, unsupported_response_type, invalid_request, unsupported_grant_type', 'settings', FLOW],
  ['redirect_uri_mismatch', 'settings', FLOW],
  ['registration', 'settings', 'register {callback} for this provider, and for each other one its own address'],
  [
    'metadata-rejected OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
    'settings',
    'write {issuer} as the provider does in the issuer of its metadata',
  ],
  ['MANY_TENANTS', 'settings', 'name one tenant in {issuer}: users of all tenants have no common issuer'],
  [
    'NO_CLIENT_AUTHENTICATION',
    'settings',
    'the provider takes neither client_secret_basic nor client_secret_post: make the client public, without {secret}',
  ],
  ['OAUTH_UNSUPPORTED_OPERATION', 'settings', 'let ID tokens be signed with a key of the provider, and not encrypted'],
  ['metadata-rejected', 'settings', '{issuer} must be an address with /.well-known/openid-configuration below it'],
  ['server_error', 'provider', 'the provider has to mend an error of its own'],
  ['temporarily_unavailable', 'provider', 'the provider has to be there again'],
  ['NO_ALGORITHM', 'provider', 'the provider has to sign ID tokens with RS256, PS256, ES256 or EdDSA'],
  ['OAUTH_HTTP_REQUEST_FORBIDDEN', 'provider', 'the provider has to name only https addresses in its metadata'],
  [
    'OAUTH_MISSING_SERVER_METADATA',
    'provider',
    'the provider has to name the missing address in its metadata: see the detail',
  ],
  ['iss', 'provider', 'the provider has to name itself in the answer as in its metadata (RFC 9207)'],
  ['algorithm', 'provider', 'the provider has to sign the ID token with an algorithm that its metadata offers'],
  ['expiry', 'provider', 'compare the clocks of the provider and of this service: 30 seconds may be between them'],
  ['issuer', 'provider', 'the provider has to issue ID tokens under the issuer of its metadata'],
  ['nonce', 'provider', 'the provider has to put the nonce of this login into the ID token'],
  ['signature', 'provider', 'the provider has to publish the key of its ID tokens at the jwks_uri of its metadata'],
  [
    'subject',
    'provider',
    'the provider has to name the user by the same sub, of 1 to 255 ASCII characters, everywhere',
  ],
  ['identity-incomplete', 'provider', 'the provider has to name the user by a sub of 1 to 255 ASCII characters'],
  ['refused-by-provider', 'provider', 'the provider has to say why it refuses'],
  ['unavailable STORE', 'service', 'wait until the stores of this service answer'],
  ['unavailable', 'provider', 'the provider has to answer the request “{step}” in time'],
]

/** The name of a setting as a person finds it, or of a place at the provider. */
function placeNamed(name: string, { provider, step = 'callback' }: Place): string {
  const setting = { issuer: 'ISSUER', secret: 'CLIENT_SECRET' }[name] ?? 'CLIENT_ID'
  if (name === 'step') return step
  if (name === 'callback') return `/login/oauth2/code/${provider}`
  if (['google', 'github', 'facebook'].includes(provider)) return `OAUTH2_${provider.toUpperCase()}_${setting}`
  return name === 'secret' ? `OIDC_CLIENT_SECRETS (${provider})` : `OIDC_PROVIDERS (${provider}: ${name})`
}
