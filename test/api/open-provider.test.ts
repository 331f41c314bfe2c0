import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { promisify } from 'node:util'
import * as oauth from 'openid-client'
import { describe, expect, inject, it } from 'vitest'
import { OPEN_FAULT_NAMES, type OpenFault } from '../../localstack/providers/faults.ts'
import { followLogin } from '../support/open-login.ts'
import { pythonWith, runPython } from '../support/python.ts'

const run = promisify(execFile)
const EXAMPLE = join(import.meta.dirname, '../../examples/oauth-client/client.mjs')
const REDIRECT = 'http://127.0.0.1:8765/callback'

/** What the example fails at when it leaves out a check. */
const FAILED_WITHOUT: Readonly<Record<string, readonly OpenFault[]>> = {
  state: ['foreign-state', 'no-state'],
  iss: ['mixed-up', 'no-issuer'],
  error: ['error-answer'],
  code: ['used-code', 'slow'],
  'id-token': ['no-id-token'],
  'token-type': ['no-token-type', 'other-token-type'],
  algorithm: ['unsigned', 'public-secret'],
  signature: ['other-key', 'unknown-key'],
  key: ['new-key'],
  issuer: ['other-issuer'],
  audience: ['other-audience'],
  party: ['other-party'],
  expiry: ['expired'],
  begin: ['too-early'],
  nonce: ['old-nonce', 'no-nonce'],
  'refresh-token': ['refresh-rotated'],
  'refresh-refusal': ['refresh-refused'],
  pkce: ['pkce-unasked'],
}

const HONEST = 'no-fault'
const FAULTS = OPEN_FAULT_NAMES.filter((fault) => fault !== HONEST)
const VERDICTS = ['passed', 'failed', 'unfinished', 'not tried'] as const

type Verdicts = Readonly<Record<string, string>>

const idp = () => String(inject('ready').idp?.google)

async function verdictsOf(client: string): Promise<Verdicts> {
  const response = await fetch(`${inject('http')}/lab/report/${client}`)
  const { faults } = (await response.json()) as { faults: { fault: OpenFault; verdict: string }[] }
  const own = faults.filter(({ fault }) => OPEN_FAULT_NAMES.includes(fault))
  return Object.fromEntries(own.map(({ fault, verdict }) => [fault, verdict]))
}

const everywhere = (faults: readonly string[], verdict: string): Verdicts =>
  Object.fromEntries(faults.map((fault) => [fault, verdict]))

function wrongOf(verdicts: Verdicts, expected: Verdicts): readonly string[] {
  return OPEN_FAULT_NAMES.filter((fault) => verdicts[fault] !== expected[fault])
}

const DESIGNED = { ...everywhere(OPEN_FAULT_NAMES, 'not tried'), [HONEST]: 'passed' }

describe('http-41 the example of an OAuth client gets the verdicts that it was written for', () => {
  const example = (client: string, leftOut: string, faults: readonly string[]) =>
    run(execPath, [EXAMPLE, idp(), client, leftOut, ...faults], { timeout: 100_000 })

  it('with all checks it passes every fault; a planted wrong verdict is seen', { timeout: 120_000 }, async () => {
    await example('careful', 'all', FAULTS)
    const verdicts = await verdictsOf('careful')
    const expected = everywhere(OPEN_FAULT_NAMES, 'passed')
    expect(wrongOf(verdicts, expected)).toEqual([])
    for (const fault of OPEN_FAULT_NAMES)
      for (const planted of VERDICTS.filter((verdict) => verdict !== 'passed'))
        expect(wrongOf({ ...verdicts, [fault]: planted }, expected)).toEqual([fault])
  })

  it.concurrent.each(Object.entries(FAILED_WITHOUT))(
    'without the check of %s it fails %j, and only there',
    { timeout: 120_000 },
    async (leftOut, faults) => {
      const client = `without-${leftOut}`
      await example(client, leftOut, faults)
      // Without PKCE, a public client gets no further than the first page of an honest provider.
      const honest = leftOut === 'pkce' ? { [HONEST]: 'not tried' } : {}
      const expected = { ...DESIGNED, ...honest, ...everywhere(faults, 'failed') }
      expect(wrongOf(await verdictsOf(client), expected)).toEqual([])
    },
  )

  it('every fault has a client that fails there', () => {
    expect(Object.values(FAILED_WITHOUT).flat().sort()).toEqual([...FAULTS].sort())
  })
})

describe('set-38 a foreign client logs in at the open provider, and the lab has seen it', () => {
  const expectSeen = async (client: string) => expect(wrongOf(await verdictsOf(client), DESIGNED)).toEqual([])

  it('openid-client, which checks the signature, calls userinfo and refreshes; the report has no secret of it', async () => {
    const client = await oauth.discovery(new URL(idp()), 'openid-client', undefined, oauth.None(), {
      execute: [oauth.allowInsecureRequests, oauth.enableNonRepudiationChecks],
    })
    const [verifier, state, nonce] = [oauth.randomPKCECodeVerifier(), oauth.randomState(), oauth.randomNonce()]
    const begin = oauth.buildAuthorizationUrl(client, {
      ...{ redirect_uri: REDIRECT, scope: 'openid profile', login_hint: 'ada', state, nonce },
      ...{ code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
    })
    const back = await followLogin(begin, REDIRECT)
    const tokens = await oauth.authorizationCodeGrant(client, back, {
      ...{ pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true },
    })
    const { name } = await oauth.fetchUserInfo(client, tokens.access_token, String(tokens.claims()?.sub))
    expect(name).toBe('Ada Admin')
    expect((await oauth.refreshTokenGrant(client, String(tokens.refresh_token))).token_type).toBe('bearer')
    await expectSeen('openid-client')
    const report = await (await fetch(`${inject('http')}/lab/report/openid-client`)).text()
    expect(report).toContain('"credentials":"refresh token 1"')
    for (const secret of [
      back.searchParams.get('code'),
      tokens.access_token,
      tokens.id_token,
      tokens.refresh_token,
      state,
    ])
      expect(report).not.toContain(secret)
    expect((await fetch(`${inject('http')}/lab/report/openid-client`, { method: 'DELETE' })).status).toBe(204)
    expect(wrongOf(await verdictsOf('openid-client'), everywhere(OPEN_FAULT_NAMES, 'not tried'))).toEqual([])
  })

  const PYTHON = pythonWith('authlib', 'requests')

  it.skipIf(!PYTHON)('Authlib in Python', async () => {
    const seen = await runPython(PYTHON ?? '', 'oauth_client.py', { issuer: idp(), client: 'authlib' })
    expect(seen).toEqual({ sub: '110000000000000000002', email: 'admin@example.com', type: 'Bearer' })
    await expectSeen('authlib')
  })

  const hasJava = spawnSync('java', ['--version']).status === 0

  it.skipIf(!hasJava)("Java's own HttpClient", async () => {
    const program = join(import.meta.dirname, '../support/java/OAuthClient.java')
    const { stdout } = await run('java', [program, idp(), 'java'], { timeout: 25_000 })
    expect(stdout.trim()).toBe('110000000000000000001')
    await expectSeen('java')
  })
})
