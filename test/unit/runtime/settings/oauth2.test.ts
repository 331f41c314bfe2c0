import { describe, expect, it } from 'vitest'
import { ConfigError, type Environment, loadConfig } from '../../../../lib/runtime/config.ts'
import { edgeSettings } from '../../../../lib/runtime/settings/edge.ts'
import { oauth2Rules, oauth2Settings } from '../../../../lib/runtime/settings/oauth2.ts'

function load(environment: Environment) {
  return loadConfig({ ...oauth2Settings, STAGE: edgeSettings.STAGE }, oauth2Rules, environment)
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
    ['prod', 'https://idp.example'],
  ])('accept on stage %s the issuer %s', (STAGE, OAUTH2_GOOGLE_ISSUER) => {
    expect(problemsOf({ STAGE, OAUTH2_GOOGLE_ISSUER })).toEqual([])
  })

  it.each([
    ['prod', 'OAUTH2_GOOGLE_ISSUER', 'http://127.0.0.1:3002'],
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
    expect(load({ ADMIN_IDENTITIES: 'google:1, github:2' }).ADMIN_IDENTITIES).toEqual(['google:1', 'github:2'])
    expect(problemsOf({ ADMIN_IDENTITIES: 'google:1,ada@example.com' })).toEqual([
      'ADMIN_IDENTITIES: identity 2 must be google:<id>, github:<id> or facebook:<id>',
    ])
  })
})
