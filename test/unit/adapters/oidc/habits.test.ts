import { afterEach, describe, expect, it, vi } from 'vitest'
import { type OpenIdClient, openIdProvider } from '../../../../lib/adapters/oidc/openid.ts'
import { type Habit, ISSUER, openIdProviderWith, publicJwk } from '../../../support/fakes/openid-provider.ts'
import { loginWith } from '../../../support/oauth2-flow.ts'

afterEach(() => vi.unstubAllGlobals())

const SECRET = 'a+secret/of the=client'
const CLIENT: OpenIdClient = {
  issuer: new URL(ISSUER),
  clientId: 'gatehouse',
  scope: 'openid profile email',
  clientSecret: { current: SECRET },
}

async function loginAt(habit: Habit, client: Partial<OpenIdClient> = {}) {
  const provider = openIdProviderWith(habit)
  vi.stubGlobal('fetch', provider.fetch)
  const outcome = await loginWith('corp', openIdProvider({ ...CLIENT, ...client }), provider.page)
  return { ...outcome, requests: provider.requests }
}

const roles = { claim: 'groups', map: { admins: 'ROLE_ADMIN' } } as const
const issuer = (href: string) => ({ issuer: new URL(href) })
const now = () => Math.floor(Date.now() / 1000)
const html = async () => new Response('<html>', { headers: { 'content-type': 'text/html' } })
const refusing =
  (status: number, body: object, headers = {}) =>
  async () =>
    Response.json(body, { status, headers })
const without = (...names: string[]) => Object.fromEntries(names.map((name) => [name, undefined]))

type Row = readonly [name: string, source: string, habit: Habit, expected?: object, client?: Partial<OpenIdClient>]

/** A habit, a public source for it, and what the user then is. */
const GOOD: readonly Row[] = [
  // Algorithms and keys
  ['ES256 only', 'idpy-oidc#110, karakeep#1524', { alg: 'ES256' }],
  ['PS256 only', 'matrix-authentication-service#698 (FAPI)', { alg: 'PS256' }],
  ['EdDSA only', 'pow-auth/assent#193, mod_auth_openidc#982', { alg: 'EdDSA' }],
  [
    'no list of algorithms',
    'OpenID Connect Discovery 3',
    { metadata: without('id_token_signing_alg_values_supported') },
  ],
  [
    'algorithms that nobody knows beside a known one',
    'oidctest#84, oidctest#71',
    { metadata: { id_token_signing_alg_values_supported: ['HS256', 'S256', 'RS256'] } },
  ],
  ['an ID token without a key id', 'identity-model-oidc-client-js#104', { kid: null }],
  ['keys without a key id', 'aces/Loris#8928 (Globus)', { kid: null, keys: [publicJwk('RS256')] }],
  ['keys of two kinds without key ids', 'quarkus#35529', { kid: null, keys: [publicJwk('RS256'), publicJwk('ES256')] }],
  [
    'keys of an unknown kind beside',
    'go-oidc#498, fusionauth-jwt#80',
    { keys: [{ kty: 'OKP', crv: 'Ed448', x: 'AA' }, { kty: 'AKP' }, publicJwk('RS256', 'one')] },
  ],
  [
    'keys for encryption beside',
    'spring-security-oauth#1470',
    { keys: [{ ...publicJwk('RS256', 'one'), use: 'enc' }, publicJwk('RS256', 'one')] },
  ],
  [
    'a key without its use',
    'angular-auth-oidc-client#1079',
    { keys: [{ ...publicJwk('RS256', 'one'), use: undefined }] },
  ],
  [
    'keys as application/jwk-set+json',
    'go-oidc#498',
    {
      answers: {
        jwks: async () =>
          new Response(JSON.stringify({ keys: [publicJwk('RS256', 'one')] }), {
            headers: { 'content-type': 'application/jwk-set+json' },
          }),
      },
    },
  ],
  // Metadata
  [
    'no address for user info',
    'couper#708, logto#7392 (Azure B2C, dex)',
    { metadata: without('userinfo_endpoint'), claims: { name: 'Ada' } },
    { name: 'Ada' },
  ],
  ['an issuer with a slash at its end', 'php-sdk#507 (authentik)', { issuer: `${ISSUER}/` }, {}, issuer(`${ISSUER}/`)],
  [
    'an issuer that is a bare host, with the slash in the setting only',
    'go-oidc#203, zitadel/oidc#122',
    { issuer: 'https://login.example' },
    {},
    issuer('https://login.example/'),
  ],
  [
    'metadata as text/plain',
    'OpenID Connect Discovery 4.2',
    {
      answers: {
        'openid-configuration': async () =>
          new Response(
            await openIdProviderWith({})
              .fetch('https://x/openid-configuration')
              .then((answer) => answer.text()),
            { headers: { 'content-type': 'text/plain' } },
          ),
      },
    },
  ],
  // The client
  ['no method of authentication named', 'authgear-server#3540', {}],
  [
    'client_secret_post only',
    'authgear-server#3702',
    { metadata: { token_endpoint_auth_methods_supported: ['client_secret_post'] } },
  ],
  [
    'both methods',
    'OpenID-Connect-PHP#377',
    { metadata: { token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'] } },
  ],
  [
    'none only, although the client has a secret',
    'OpenID Connect Discovery 3 (the metadata of oauth2-mock-server)',
    { metadata: { token_endpoint_auth_methods_supported: ['none'] } },
  ],
  ['a public client, although none is not named', 'authgear-server#3540', {}, {}, { clientSecret: undefined }],
  // Claims
  [
    'email_verified as a text',
    'zitadel/oidc#139 (Cognito), auth0-flutter#309 (Apple)',
    { user: { email: 'a@example.com', email_verified: 'true' } },
    { email: 'a@example.com' },
  ],
  ['no email_verified', 'coder#3954 (Entra)', { user: { email: 'a@example.com' } }, { email: null }],
  ['no e-mail', 'omnigent#2222 (Entra)', { user: { preferred_username: 'ada@corp.example' } }, { email: null }],
  ['no name', 'mcphub#1196 (GitLab), fews-web-oc#1886', { user: { preferred_username: 'ada' } }, { name: 'ada' }],
  [
    'claims in the ID token only',
    'openid-connect-generic#100 (Azure B2C)',
    { claims: { name: 'Ada' } },
    { name: 'Ada' },
  ],
  [
    'a user info that is signed',
    'quarkus#42341, yii2-authclient#342',
    {
      metadata: { userinfo_signing_alg_values_supported: ['RS256'] },
      answers: {
        userinfo: async () =>
          new Response(await openIdProviderWith({ claims: { name: 'Ada' } }).idToken(), {
            headers: { 'content-type': 'application/jwt' },
          }),
      },
    },
    { name: 'Ada' },
  ],
  ['a sub of 255 characters', 'OpenID Connect Core 2', { claims: { sub: 'x'.repeat(255) } }],
  ['a sub with commas and blanks', 'OpenID Connect Core 2', { claims: { sub: 'f:1a:Doe, Jane' } }],
  ['one audience in a list', 'knadh/listmonk#2237 (JumpCloud)', { claims: { aud: ['gatehouse'] } }],
  [
    'other audiences, and us as azp',
    'BookStack#4147 (zitadel)',
    { claims: { aud: ['gatehouse', 'other'], azp: 'gatehouse' } },
  ],
  ['an auth_time with decimals', 'authlib#309 (JetBrains Hub)', { claims: { auth_time: 1610237411.561 } }],
  // Roles
  [
    'groups as a list',
    'artifact-keeper#1746',
    { claims: { groups: ['staff', 'admins'] } },
    { role: 'ROLE_ADMIN' },
    { roles },
  ],
  [
    'one group as a text',
    'harbor#15416, rancher#55858, dex#2562',
    { claims: { groups: 'admins' } },
    { role: 'ROLE_ADMIN' },
    { roles },
  ],
  [
    'groups in the user info only',
    'keycloak-community#316',
    { user: { groups: ['admins'] } },
    { role: 'ROLE_ADMIN' },
    { roles },
  ],
  [
    '20 kB of groups',
    'vault#7510',
    { claims: { groups: Array.from({ length: 800 }, (_, at) => `a group with the number ${at}`).concat('admins') } },
    { role: 'ROLE_ADMIN' },
    { roles },
  ],
  [
    'too many groups, which are elsewhere',
    'OctopusDeploy#8388, akhq#1180 (Entra)',
    { claims: { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://graph.example' } } } },
    { role: 'ROLE_USER' },
    { roles },
  ],
  [
    'groups in one text with commas',
    'sonar-auth-oidc#42 (OneLogin)',
    { claims: { groups: 'staff,admins' } },
    { role: 'ROLE_USER' },
    { roles },
  ],
  [
    'roles below other members',
    'dex#2143, opensearch-security#1003 (Keycloak)',
    { claims: { realm_access: { roles: ['admins'] } } },
    { role: 'ROLE_ADMIN' },
    { roles: { ...roles, claim: 'realm_access.roles' } },
  ],
  [
    'roles below the name of a client with dots',
    'rustfs#2885 (Keycloak)',
    { claims: { resource_access: { 'my.app': { roles: ['admins'] } } } },
    { role: 'ROLE_ADMIN' },
    { roles: { ...roles, claim: 'resource_access.my.app.roles' } },
  ],
  [
    'roles as an object',
    'BookStack#4147 (zitadel)',
    { claims: { groups: { admins: { 12345: 'x' } } } },
    { role: 'ROLE_USER' },
    { roles },
  ],
  // Answers
  ['expires_in as a text', 'H2CK/oidc#250, delta-sharing#628', { tokens: { expires_in: '3600' } }],
  ['no expires_in', 'identity-model-oidc-client-js#534', { tokens: without('expires_in') }],
  ['a token_type in capitals', 'RFC 6749 5.1', { tokens: { token_type: 'BEARER' } }],
  [
    'further parameters in the callback',
    'smart-on-fhir/client-js#205',
    { callback: { session_state: 'x', scope: 'openid' } },
  ],
  // Clocks
  ['a clock one second ahead', 'openid-client#454, #10', { claims: { nbf: now() + 2, iat: now() + 2 } }],
  ['a clock five minutes ahead, without nbf', 'Flask-pyoidc#147', { claims: { iat: now() + 300, exp: now() + 3900 } }],
  [
    'a clock five minutes behind, with tokens of an hour',
    'flask-oidc#7',
    { claims: { iat: now() - 300, exp: now() + 3300 } },
  ],
]

/** A habit, a public source for it, and what is said of the refusal: whose fault, and words of what to change. */
const BAD: readonly Row[] = [
  // Metadata that cannot be used or lies
  [
    'ES384 only',
    'twenty#22780 (Logto)',
    { metadata: { id_token_signing_alg_values_supported: ['ES384'] } },
    { code: 'NO_ALGORITHM', fault: 'provider', change: /ES256 or EdDSA/ },
  ],
  [
    'another algorithm than it announces',
    'open-webui#30331',
    { metadata: { id_token_signing_alg_values_supported: ['ES256'] } },
    { check: 'algorithm', fault: 'provider', change: /its metadata offers/ },
  ],
  [
    'private_key_jwt only',
    'authentication-api#2602',
    { metadata: { token_endpoint_auth_methods_supported: ['private_key_jwt'] } },
    { code: 'NO_CLIENT_AUTHENTICATION', fault: 'settings', change: /OIDC_CLIENT_SECRETS \(corp\)/ },
  ],
  [
    'an issuer with another slash',
    'alarik#14 (authentik)',
    { issuer: `${ISSUER}/` },
    { check: undefined, fault: 'settings', change: /OIDC_PROVIDERS \(corp: issuer\)/ },
  ],
  [
    'an issuer for all tenants',
    'azure-docs#38427, mod_auth_openidc#336 (Entra)',
    { metadata: { issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' } },
    { code: 'MANY_TENANTS', fault: 'settings', change: /one tenant/ },
    issuer('https://login.microsoftonline.com/common/v2.0'),
  ],
  [
    'no metadata',
    'OpenID Connect Discovery 4.2',
    { answers: { 'openid-configuration': async () => new Response('', { status: 404 }) } },
    { detail: /404/, fault: 'settings', change: /OIDC_PROVIDERS \(corp: issuer\) must be an address/ },
  ],
  [
    'a page in place of its metadata',
    'OpenID Connect Discovery 4.2',
    { answers: { 'openid-configuration': html } },
    { detail: /text\/html/, fault: 'settings', change: /openid-configuration below it/ },
  ],
  [
    'metadata without a place to log in',
    'OpenID Connect Discovery 3',
    { metadata: without('authorization_endpoint') },
    { detail: /authorization_endpoint/, fault: 'provider', change: /missing address/ },
  ],
  [
    'metadata without a place for tokens',
    'OpenID Connect Discovery 3',
    { metadata: without('token_endpoint') },
    { detail: /token_endpoint/, fault: 'provider', change: /missing address/ },
  ],
  [
    'metadata without keys',
    'nextcloud-oidc-login#21 (glewlwyd)',
    { metadata: without('jwks_uri') },
    { detail: /jwks_uri/, fault: 'provider', change: /missing address/ },
  ],
  [
    'metadata with an http address',
    'RFC 8414 2',
    { metadata: { token_endpoint: 'http://login.example/token' } },
    { fault: 'provider', change: /https addresses/ },
  ],
  // Keys
  [
    'its keys gone',
    'OpenID Connect Core 10.1.1',
    { keys: [] },
    { check: 'signature', fault: 'provider', change: /jwks_uri/ },
  ],
  [
    'two keys of a kind without key ids',
    'angular-auth-oidc-client#7, oxd#555',
    { kid: null, keys: [publicJwk('RS256'), publicJwk('RS256')] },
    { check: 'signature', fault: 'provider', change: /jwks_uri/ },
  ],
  [
    'a page in place of its keys',
    'RFC 7517 5',
    { answers: { jwks: html } },
    { detail: /text\/html/, fault: 'provider', change: /the request “keys”/ },
  ],
  // The client
  [
    'a secret that it does not know',
    'simplesamlphp-module-authoauth2#50',
    { answers: { token: refusing(400, { error: 'invalid_client' }) } },
    { error: 'invalid_client', fault: 'settings', change: /OIDC_CLIENT_SECRETS \(corp\)/ },
  ],
  [
    'a secret that it does not decode, with a challenge',
    'AppAuth-Android#337, oauth2-server#1305',
    { answers: { token: refusing(401, { error: 'invalid_client' }, { 'www-authenticate': 'Basic realm="idp"' }) } },
    { code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE', fault: 'settings', change: /how that client authenticates/ },
  ],
  [
    'a client without the code flow',
    'RFC 6749 5.2',
    { answers: { token: refusing(400, { error: 'unauthorized_client' }) } },
    { fault: 'settings', change: /PKCE.*\/login\/oauth2\/code\/corp/ },
  ],
  [
    'an encrypted ID token',
    'Termix#1117 (authentik), keycloak#21254',
    { tokens: { id_token: 'a.b.c.d.e' } },
    { fault: 'settings', change: /not encrypted/ },
  ],
  [
    'a symmetric ID token',
    'nextcloud-oidc-login#21 (HS512)',
    { tokens: { id_token: `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.e30.x` } },
    { check: 'algorithm', fault: 'provider' },
  ],
  // Claims
  [
    'a sub of 256 characters',
    'OpenID Connect Core 2',
    { claims: { sub: 'x'.repeat(256) } },
    { check: 'subject', fault: 'provider', change: /255 ASCII/ },
  ],
  [
    'a sub that is not ASCII',
    'OpenID Connect Core 2',
    { claims: { sub: 'zoé' } },
    { check: 'subject', fault: 'provider', change: /255 ASCII/ },
  ],
  [
    'a sub that is a number',
    'simplesamlphp-module-oidc#353',
    { claims: { sub: 42 } },
    { detail: /"sub"/, fault: 'provider' },
  ],
  ['no sub', 'mission-control#3236', { claims: without('sub') }, { detail: /"sub"/, fault: 'provider' }],
  [
    'no nonce',
    'ferriskey#1124, angular-oauth2-oidc#1040',
    { claims: without('nonce') },
    { detail: /"nonce"/, fault: 'provider' },
  ],
  [
    'the nonce of another login',
    'backstage#23773',
    { claims: { nonce: 'other' } },
    { check: 'nonce', fault: 'provider', change: /nonce of this login/ },
  ],
  [
    'other audiences, without azp',
    'openid-client#280, angular-auth-oidc-client#582 (Oracle)',
    { claims: { aud: ['gatehouse', 'other'] } },
    { check: 'audience', fault: 'settings', change: /OIDC_PROVIDERS \(corp: clientId\)/ },
  ],
  ['another audience', 'dex#984', { claims: { aud: 'other' } }, { check: 'audience', fault: 'settings' }],
  [
    'an auth_time as a text',
    'next-auth#550',
    { claims: { auth_time: '1610237411' } },
    { detail: /auth_time/, fault: 'provider' },
  ],
  [
    'another issuer in its tokens',
    'azure-docs#95994 (Entra)',
    { claims: { iss: 'https://sts.example' } },
    { check: 'issuer', fault: 'provider', change: /issuer of its metadata/ },
  ],
  [
    'a user info without sub',
    'IdentityServer3#3578, identitymodel-extensions#1031',
    { user: without('sub') },
    { detail: /"sub"/, fault: 'provider', step: /user/ },
  ],
  [
    'a user info with sub as a number',
    'openid-connect-generic#673, angular-oauth2-oidc#548',
    { user: { sub: 42 } },
    { detail: /"sub"/, fault: 'provider' },
  ],
  [
    'another user at the user info',
    'gravitee-access-management#394',
    { user: { sub: 'u-43' } },
    { check: 'subject', fault: 'provider', change: /same sub/ },
  ],
  [
    'a user info that these scopes do not open',
    'azure-docs#40619',
    { answers: { userinfo: refusing(403, {}, { 'www-authenticate': 'Bearer error="insufficient_scope"' }) } },
    { fault: 'settings', change: /OIDC_PROVIDERS \(corp: scopes\)/ },
  ],
  // Answers
  [
    'an error with the status 200',
    'docs.github.com: bad_verification_code',
    { answers: { token: refusing(200, { error: 'bad_verification_code' }) } },
    { error: 'bad_verification_code', fault: 'person', change: /takes a code once/ },
  ],
  [
    'a page in place of tokens',
    'nanoidp#310, bulk-data-server#11',
    { answers: { token: html } },
    { detail: /text\/html/, fault: 'provider', change: /the request “token”/ },
  ],
  [
    'no ID token',
    'OpenID Connect Core 3.1.3.3',
    { tokens: without('id_token') },
    { detail: /id_token/, fault: 'provider' },
  ],
  [
    'an outage at the tokens',
    'RFC 9110 15.6.4',
    { answers: { token: async () => new Response('', { status: 503 }) } },
    { reason: 'unavailable', fault: 'provider', change: /in time/ },
  ],
  [
    'a code that was used',
    'dnsimple-developer#1025',
    { answers: { token: refusing(400, { error: 'invalid_grant' }) } },
    { check: 'code', fault: 'person', change: /begin the login again/ },
  ],
  [
    'its name without the slash in the callback',
    'JavaScriptSolidServer#524',
    { issuer: `${ISSUER}/`, callback: { iss: ISSUER } },
    { check: 'iss', fault: 'provider', change: /RFC 9207/ },
    issuer(`${ISSUER}/`),
  ],
  [
    'an announced name that is missing in the callback',
    'RFC 9207 2.4',
    { metadata: { authorization_response_iss_parameter_supported: true } },
    { check: 'iss', fault: 'provider' },
  ],
  [
    'scopes that it does not give',
    'simplesamlphp-module-authoauth2#51',
    { callback: { code: undefined, error: 'invalid_scope' } },
    { error: 'invalid_scope', fault: 'settings', change: /OIDC_PROVIDERS \(corp: scopes\)/ },
  ],
  [
    'a person who has to do something there',
    'OpenID Connect Core 3.1.2.6',
    { callback: { code: undefined, error: 'interaction_required' } },
    { fault: 'person', change: /finish at the provider/ },
  ],
  [
    'an error of its own',
    'mod_auth_openidc#248',
    { callback: { code: undefined, error: 'server_error' } },
    { fault: 'provider', change: /error of its own/ },
  ],
  [
    'an error with the name of a member of every object',
    'RFC 6749 4.1.2.1',
    { callback: { code: undefined, error: 'constructor' } },
    { fault: 'provider', change: /say why/ },
  ],
  // Clocks
  [
    'a clock five minutes ahead, with nbf',
    'tsidp#73, angular-auth-oidc-client#1242',
    { claims: { nbf: now() + 300, iat: now() + 300 } },
    { check: 'expiry', fault: 'provider', change: /compare the clocks/ },
  ],
  [
    'a clock five minutes behind, with tokens of five minutes',
    'RFC 7519 4.1.4',
    { claims: { iat: now() - 600, exp: now() - 300 } },
    { check: 'expiry', fault: 'provider', change: /compare the clocks/ },
  ],
]

const named = (rows: readonly Row[]) =>
  rows.map(([name, source, habit, expected = {}, client = {}]) => ({ name, source, habit, expected, client }))

describe('a provider with the habit', () => {
  it.each(named(GOOD))('$name ($source) logs its user in', async ({ source, habit, expected: user, client }) => {
    const { users, entry } = await loginAt(habit, client)
    expect(entry).toEqual({})
    const [{ username = '', roles: held = [], oauth2 } = {}] = users
    expect(username).toBe(`corp:${habit.claims?.['sub'] ?? 'u-42'}`)
    expect({ ...oauth2, role: held[0] }).toMatchObject(user)
    expect(source).toMatch(/#\d|RFC|OpenID|docs\./)
  })

  it.each(named(BAD))(
    '$name ($source) is refused for a reason that is true',
    async ({ source, habit, expected: said, client }) => {
      const { location, users, entry, log } = await loginAt(habit, client)
      expect(users).toEqual([])
      for (const [name, value] of Object.entries(said))
        if (value instanceof RegExp) expect(entry[name === 'step' ? 'change' : name]).toMatch(value)
        else expect([name, entry[name]]).toEqual([name, value])
      expect(location).toMatch(
        new RegExp(`^/login\\?error=provider&id=corp&fault=${entry['fault']}(&returnTo=%2Fwanted)?$`),
      )
      expect(log).not.toMatch(/ey[\w-]{20}|a\+secret|<html>/)
      expect(source).toMatch(/#\d|RFC|OpenID|docs\./)
    },
  )

  it('is one of more than sixty, each with a source of its own', () => {
    expect(GOOD.length + BAD.length).toBeGreaterThanOrEqual(60)
  })
})

it.each<[string, Habit['metadata'], string | undefined, string | null]>([
  ['basic', {}, `Basic ${btoa('gatehouse:a%2Bsecret%2Fof+the%3Dclient')}`, null],
  ['post', { token_endpoint_auth_methods_supported: ['client_secret_post'] }, undefined, SECRET],
  [
    'basic',
    { token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'] },
    expect.stringMatching(/^Basic /),
    null,
  ],
])(
  'a client proves itself by client_secret_%s where the metadata says %j',
  async (_, metadata, authorization, inBody) => {
    const { requests } = await loginAt({ metadata: metadata ?? {} })
    expect(requests.map((one) => [one.authorization, one.parameters.get('client_secret')])).toEqual([
      [authorization, inBody],
    ])
  },
)

it('a public client sends its id and the verifier of its challenge, and no secret', async () => {
  const { requests } = await loginAt({}, { clientSecret: undefined })
  const [{ authorization, parameters } = { authorization: undefined, parameters: new URLSearchParams() }] = requests
  expect([authorization, parameters.get('client_id'), parameters.get('client_secret')]).toEqual([
    undefined,
    'gatehouse',
    null,
  ])
  expect(parameters.get('code_verifier')).toMatch(/^[\w-]{43}$/)
})
