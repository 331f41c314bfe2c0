import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const sources = globSync('{lib,functions,infra/adapter}/**/*.ts').map((file) => ({
  file,
  code: readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''),
}))

/** Each place where what a caller sent is compared with what only the right caller knows. */
const COMPARED: Readonly<Record<string, string>> = {
  'lib/auth/csrf.ts: timingSafeEqual(one, other)': 'the signature of a CSRF token',
  'lib/auth/keys/api-key.ts: timingSafeEqual(hashOf(secret), kept)': 'the hash of the secret of an API key',
  'lib/auth/password.ts: timingSafeEqual(given, tag)': 'the hash of a password',
  'lib/auth/jwt.ts: timingSafeEqual(given, mac)': 'the MAC of a token',
  'lib/webhooks/schemes/methods.ts: timingSafeEqual(sha256(signature), sha256(key.material.export()))':
    'a token that is sent as it is: X-Gitlab-Token, hub.verify_token and the like',
  'lib/http/middleware/by-edge.ts: timingSafeEqual(digestOf(given), digestOf(expected))': 'the secret of the edge',
  'lib/webhooks/schemes/methods.ts: timingSafeEqual(given, expected)': 'the keyed hash of a webhook',
}

/**
 * Plain comparisons of values whose name sounds secret, with the reason why their time tells nothing. Tokens are compared
 * by jose (WebCrypto) and by their MAC, public-key signatures by Node; sessions are found by the hash of their id.
 */
const PLAIN: Readonly<Record<string, string>> = {
  'lib/auth/accounts.ts: user.passwordHash === known?.passwordHash': 'two hashes of ours; the caller sent neither',
  'lib/auth/oauth2/receive.ts: transaction.state !== state': 'the caller brings both, one of them sealed by us',
  'lib/auth/token.ts: seen?.token !== token':
    'a caller who gets there knows 96 bits of the signature, and would have to guess the 416 others at once',
  'lib/webhooks/providers/twilio.ts: bodyHash === sha256': 'the hash of the body that the caller sent',
  'lib/runtime/list-cursor.ts: digest === digestOf': 'the hash of a filter, no secret',
  'lib/webhooks/providers/plaid.ts: bodyHash === sha256': 'the hash of the body that the caller sent',
  'lib/deliver/breaker.ts: present.state === state': 'the state of a circuit, no secret',
  'lib/webhooks/schemes/timestamped.ts: name === names.signature': 'the name of an element, no secret',
}

const SECRET = /secret|token|mac$|signature|digest|hash|password|passcode|csrf|nonce|verifier|(?:^|\.)state$|sessionId/i

/** A text, a number, or nothing at all: what such a comparison tells, everybody may know. */
const LITERAL = /^(?:undefined|null|true|false|\d.*|['"`].*)$/

function plainComparisons(code: string): readonly string[] {
  return [...code.matchAll(/([\w.?]+|['"`]\w*['"`])\s+(?:===|!==)\s+([\w.?]+|['"`])/g)]
    .filter(([, one = '', other = '']) => [one, other].every((side) => !LITERAL.test(side)))
    .filter(([, one = '', other = '']) => [one, other].some((side) => SECRET.test(side)))
    .map(([comparison]) => comparison)
}

describe('the duration of a comparison reveals nothing about a secret', () => {
  it('each constant-time comparison is listed', () => {
    const calls = sources.flatMap(({ file, code }) =>
      [...code.matchAll(/timingSafeEqual\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g)].map(
        ([call]) => `${file}: ${call}`,
      ),
    )
    expect(calls.sort()).toEqual(Object.keys(COMPARED).sort())
  })

  it('each other comparison of a possible secret is listed with a reason', () => {
    const found = sources.flatMap(({ file, code }) => plainComparisons(code).map((one) => `${file}: ${one}`))
    expect(found.sort()).toEqual(Object.keys(PLAIN).sort())
  })

  it.each(['given === secret', 'signature !== expected', 'request.csrfToken === session.csrfToken'])(
    '“%s” would be found',
    (code) => {
      expect(plainComparisons(`  if (${code}) return`)).toEqual([code])
    },
  )
})
