// Logs in with openid-client at the issuer of each fault: node oauth.ts <address> <client id> <fault>...
import { argv } from 'node:process'
import * as client from 'openid-client'
import { followLogin } from '../../test/support/open-login.ts'

const REDIRECT = 'http://127.0.0.1:8765/callback'
const [address = '', id = '', ...faults] = argv.slice(2)

async function logIn(config: client.Configuration) {
  const [pkceCodeVerifier, expectedState] = [client.randomPKCECodeVerifier(), client.randomState()]
  const expectedNonce = client.randomNonce()
  const begin = client.buildAuthorizationUrl(config, {
    ...{ redirect_uri: REDIRECT, scope: 'openid profile', login_hint: 'ada', state: expectedState },
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    ...{ code_challenge_method: 'S256', nonce: expectedNonce },
  })
  const back = await followLogin(begin, REDIRECT)
  const tokens = await client.authorizationCodeGrant(config, back, { pkceCodeVerifier, expectedState, expectedNonce })
  await client.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? client.skipSubjectCheck)
  return tokens
}

async function visit(issuer: string): Promise<void> {
  const insecure = { execute: [client.allowInsecureRequests] }
  const config = await client.discovery(new URL(issuer), id, undefined, client.None(), insecure)
  let { refresh_token: token = '' } = await logIn(config)
  for (let turn = 0; turn < 2; turn++)
    ({ refresh_token: token = token } = await client.refreshTokenGrant(config, token))
  await logIn(config)
}

await visit(address)
for (const fault of faults) await visit(`${address}/lab/${fault}`).catch(() => undefined)
