import { describe, expect, it } from 'vitest'
import { ConfigError, type Environment, loadConfig } from '../../../../lib/runtime/config.ts'
import { edgeSettings } from '../../../../lib/runtime/settings/edge.ts'
import { oauth2Rules, oauth2Settings, offeredProviders } from '../../../../lib/runtime/settings/oauth2.ts'
import { ADDRESS } from '../../../../lib/runtime/settings/oidc.ts'

function load(environment: Environment) {
  return loadConfig({ ...oauth2Settings, STAGE: edgeSettings.STAGE, BASE_URL: edgeSettings.BASE_URL }, oauth2Rules, {
    BASE_URL: 'https://gatehouse:3000',
    ...environment,
  })
}

function problemsOf(environment: Environment): readonly string[] {
  try {
    load(environment)
    return []
  } catch (error) {
    return error instanceof ConfigError ? error.problems : [String(error)]
  }
}

describe('the settings of the login providers', () => {
  it('contain the real providers, and enable none of them without a client', () => {
    const config = load({ STAGE: 'prod' })
    expect(config.OAUTH2_GOOGLE_ISSUER.href).toBe('https://accounts.google.com/')
    expect(config.OAUTH2_GITHUB_TOKEN_URL.href).toBe('https://github.com/login/oauth/access_token')
    expect(config.OAUTH2_FACEBOOK_API_URL.hostname).toBe('graph.facebook.com')
    expect(config.OAUTH2_GOOGLE_CLIENT_ID).toBeUndefined()
    expect(config.ADMIN_IDENTITIES).toEqual([])
  })

  it.each([
    ['local', 'http://127.0.0.1:3002'],
    ['local', 'http://[::1]:3002'],
    ['local', 'http://gatehouse:3002'],
    ['prod', 'https://idp.example'],
  ])('accept on stage %s the issuer %s', (STAGE, OAUTH2_GOOGLE_ISSUER) => {
    expect(problemsOf({ STAGE, OAUTH2_GOOGLE_ISSUER })).toEqual([])
  })

  it.each([
    ['prod', 'OAUTH2_GOOGLE_ISSUER', 'http://127.0.0.1:3002'],
    ['prod', 'OAUTH2_GOOGLE_ISSUER', 'http://gatehouse:3002'],
    ['local', 'OAUTH2_GOOGLE_ISSUER', 'http://idp.example'],
    ['local', 'OAUTH2_GITHUB_TOKEN_URL', 'http://127.0.0.1.evil.example/token'],
    ['local', 'OAUTH2_FACEBOOK_AUTHORIZATION_URL', 'http://0.0.0.0/dialog'],
    ['local', 'OAUTH2_FACEBOOK_TOKEN_URL', 'ftp://127.0.0.1'],
    ['local', 'OAUTH2_FACEBOOK_API_URL', 'https://user:secret@graph.example'],
    ['local', 'OAUTH2_GITHUB_AUTHORIZATION_URL', 'https://github.example/?a=b'],
  ])('K08 refuse on stage %s as %s the address %s, without quoting it', (STAGE, name, address) => {
    const problems = problemsOf({ STAGE, [name]: address })
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name}: must be an http`))])
    expect(problems.join()).not.toContain(address)
  })

  it.each(['GOOGLE', 'GITHUB', 'FACEBOOK'])('require a secret with the client id of %s', (id) => {
    expect(problemsOf({ [`OAUTH2_${id}_CLIENT_ID`]: 'x' })).toEqual([
      `OAUTH2_${id}_CLIENT_SECRET: must be set, because OAUTH2_${id}_CLIENT_ID is`,
    ])
    expect(problemsOf({ [`OAUTH2_${id}_CLIENT_ID`]: 'x', [`OAUTH2_${id}_CLIENT_SECRET`]: 'y' })).toEqual([])
  })

  it.each([
    ['short', 'must have at least 16 characters on a deployed stage'],
    ['GOCSPX-kf83hf74hAJ2', undefined],
  ])('check on a deployed stage the secret %s: %s', (secret, rule) => {
    const client = { OAUTH2_GITHUB_CLIENT_ID: 'x', OAUTH2_GITHUB_CLIENT_SECRET: secret }
    expect(problemsOf({ STAGE: 'prod', ...client })).toEqual(rule ? [`OAUTH2_GITHUB_CLIENT_SECRET: ${rule}`] : [])
    expect(problemsOf({ STAGE: 'local', ...client })).toEqual([])
  })

  it('O16 list administrators by provider and subject, never by e-mail address alone', () => {
    const given = 'google:1, github:2, google:a b%2Cc'
    expect(load({ ADMIN_IDENTITIES: given }).ADMIN_IDENTITIES).toEqual(['google:1', 'github:2', 'google:a b,c'])
    expect(problemsOf({ ADMIN_IDENTITIES: 'google:1,ada@example.com' })).toEqual([
      'ADMIN_IDENTITIES: identity 2 must be <provider>:<id>',
    ])
    expect(problemsOf({ ADMIN_IDENTITIES: 'google:1,corp:2' })).toEqual([
      'ADMIN_IDENTITIES: the provider of identity 2 is none of OIDC_PROVIDERS',
    ])
  })
})

const HTTP = 'http is for the local stage on this machine alone'

describe('the settings of providers by name', () => {
  const CORP = { issuer: 'https://login.example/realms/corp', clientId: 'gatehouse' }
  const json = JSON.stringify
  const providers = (corp: unknown) => json({ corp })
  const SECRET = 'kf83hf74hAJ2x0Qw9'

  it('name any number of them, beside Google, GitHub and Facebook', () => {
    const roles = { claim: 'groups', map: { admins: 'ROLE_ADMIN' } }
    const given = { corp: { ...CORP, label: 'Corp', scopes: 'groups', roles }, 'b2-c': CORP }
    const config = load({ OIDC_PROVIDERS: json(given), OAUTH2_GITHUB_CLIENT_ID: 'x', OAUTH2_GITHUB_CLIENT_SECRET: 'y' })
    expect(config.OIDC_PROVIDERS.get('corp')).toEqual({
      ...{ issuer: new URL(CORP.issuer), clientId: 'gatehouse', label: 'Corp', scope: 'openid groups', roles },
    })
    expect(config.OIDC_PROVIDERS.get('b2-c')).toMatchObject({ label: 'b2-c', scope: 'openid profile email' })
    expect(offeredProviders(config).map(({ id, label }) => `${id} ${label}`)).toEqual([
      ...['github GitHub', 'corp Corp', 'b2-c b2-c'],
    ])
    expect(problemsOf({ OIDC_PROVIDERS: json(given), ADMIN_IDENTITIES: 'b2-c:1' })).toEqual([])
  })

  it.each<[string, string]>([
    ['x', 'must be a JSON object'],
    ['[]', 'must be a JSON object'],
    [providers(1), 'corp: must have issuer and clientId, and may have label, scopes and roles'],
    [providers({ ...CORP, secret: 'x' }), 'corp: must have issuer and clientId, and may have label, scopes and roles'],
    [providers({ ...CORP, issuer: 'login.example' }), `corp: issuer ${ADDRESS}`],
    [providers({ ...CORP, issuer: `${CORP.issuer}/.well-known/openid-configuration` }), `corp: issuer ${ADDRESS}`],
    [providers({ issuer: CORP.issuer }), 'corp: clientId must be a text of ASCII characters'],
    [providers({ ...CORP, scopes: ['openid'] }), 'corp: scopes must be a text with a space between any two'],
    [providers({ ...CORP, label: '\u202e' }), 'corp: label must be a text of at most 40 characters'],
    [
      providers({ ...CORP, roles: { claim: 'groups', map: { a: 'ADMIN' } } }),
      'corp: roles must be {"claim":"…","map":{"…":"ROLE_ADMIN" or "ROLE_USER"}}',
    ],
    ...['google', 'github', 'facebook', 'ldap', 'key', 'sealing', 'Corp', '1a', 'a'.repeat(25)].map(
      (name): [string, string] => [
        json({ [name]: CORP }),
        'names have 1 to 24 of a-z, 0-9 and -, a letter first, and are none of google, github, facebook, ldap, key, sealing',
      ],
    ),
    [providers({ ...CORP, issuer: 'http://login.example' }), `corp: issuer must be an https address; ${HTTP}`],
  ])('refuse %s', (OIDC_PROVIDERS, rule) => {
    expect(problemsOf({ OIDC_PROVIDERS })).toEqual([`OIDC_PROVIDERS: ${rule}`])
  })

  it.each<[string, object, string | undefined]>([
    ['prod', { corp: SECRET }, undefined],
    ['prod', { sealing: SECRET }, undefined],
    ['prod', {}, 'must have sealing, a random text, because no client has a secret'],
    ['prod', { corp: 'short' }, 'corp must have at least 16 characters on a deployed stage'],
    ['prod', { crop: SECRET }, 'each name must be one of OIDC_PROVIDERS, or sealing'],
    ['local', {}, undefined],
    ['local', { corp: '' }, 'must map each provider name to a text'],
    ['local', { corp: [SECRET] }, 'must map each provider name to a text'],
  ])('take on the stage %s the secrets %j: %s', (STAGE, secrets, rule) => {
    const given = { STAGE, OIDC_PROVIDERS: providers(CORP), OIDC_CLIENT_SECRETS: json(secrets) }
    expect(problemsOf(given)).toEqual(rule ? [`OIDC_CLIENT_SECRETS: ${rule}`] : [])
  })
})
