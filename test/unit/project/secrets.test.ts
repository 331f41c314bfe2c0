import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { projectFiles } from '../../support/project-files.ts'
import { SECRET_PATTERNS, type SecretKind, secretsIn } from '../../support/secret-patterns.ts'

const FUZZED = 'made by the fuzzer, of keys of its own'

/** What looks like a secret and opens nothing, by its file, with the reason. */
const HARMLESS: Readonly<Record<string, Partial<Record<SecretKind, string>>>> = {
  'lib/runtime/settings/strength.ts': {
    'webhook secret': 'published in the tests of Standard Webhooks, and refused here on that account',
  },
  'test/inputs/corpus/bearer-tokens.json': { 'signed token': FUZZED },
  'test/inputs/corpus/compact-jwts.json': { 'signed token': FUZZED },
  'test/inputs/corpus/grpc-metadata.json': { 'signed token': FUZZED },
  'test/inputs/corpus/signatures.json': { 'signed token': FUZZED },
  'test/inputs/corpus/stomp-sessions.json': { 'signed token': FUZZED },
  'test/unit/auth/accounts.test.ts': { 'hash of a password': 'of a password of that test' },
  'test/unit/auth/oauth2/steps.test.ts': { 'password in an address': 'the words user and pass, which must be cut' },
  'test/unit/auth/password.test.ts': { 'hash of a password': 'known answers for the passwords of that test' },
  'test/unit/auth/sign-in.test.ts': { 'hash of a password': 'of a password of that test' },
  'test/unit/runtime/settings/ldap.test.ts': { 'password in an address': 'an address that is refused' },
  'test/unit/runtime/settings/oauth2.test.ts': { 'password in an address': 'an address that is refused' },
  'test/unit/webhooks/schemes/library-differences.test.ts': { 'webhook secret': 'the words "shared secret"' },
  'test/vectors/webhook-signatures.json': {
    'webhook secret': 'digits and letters in their order, or published in the tests of Standard Webhooks',
    'signed token': 'signed with those; known answers',
  },
}

const files = projectFiles('.')

const found = files.flatMap((file) => secretsIn(readFileSync(file, 'latin1')).map(({ kind }) => [file, kind] as const))

/** None of them is anybody's: put together here, so that this file holds none. */
const SAMPLES: Readonly<Record<SecretKind, readonly string[]>> = {
  'access key of AWS': [`AKIA${'A2'.repeat(8)}`, `ASIA${'Z7'.repeat(8)}`],
  'secret key of AWS': [`aws_secret_access_key = ${'aB3/'.repeat(10)}`],
  'private key in PEM': ['', 'RSA ', 'EC ', 'OPENSSH ', 'ENCRYPTED '].map(
    (kind) => `-----BEGIN ${kind}PRIVATE KEY-----`,
  ),
  'private JSON Web Key': [`{"kty":"EC","d" : "${'aB3-'.repeat(8)}"}`],
  'token of Slack': [`xoxb-${'1'.repeat(12)}-abc`],
  'webhook of Slack': [['https://hooks.slack.com', 'services', 'T0', 'B0', 'x'].join('/')],
  'key of Stripe': [`sk_live_${'a1'.repeat(12)}`],
  'webhook secret': [`whsec_${'a1'.repeat(12)}`],
  'token of GitHub': [`ghp_${'a1'.repeat(18)}`, `github_pat_${'a1'.repeat(12)}`],
  'key of Google': [`AIza${'a'.repeat(35)}`, `GOCSPX-${'a'.repeat(28)}`],
  'token of npm': [`npm_${'a1'.repeat(18)}`],
  'key of SendGrid': [`SG.${'a'.repeat(22)}.${'b'.repeat(43)}`],
  'signed token': [`eyJ${'a'.repeat(20)}.eyJ${'b'.repeat(20)}.${'c'.repeat(43)}`],
  'key of our tokens': [`JWT_KEYS=k1:${'a'.repeat(86)}`],
  'hash of a password': [`$argon2id$${'v=19'.padEnd(40, 'a')}`, `$2b$${'10$'.padEnd(40, 'a')}`],
  'password in an address': [['postgres://user', 'password@host/db'].join(':')],
}

describe('no file of the project holds a secret', () => {
  it('but what opens nothing, each for a reason', () => {
    expect(files.length).toBeGreaterThan(1000)
    expect(found.filter(([file, kind]) => HARMLESS[file]?.[kind] === undefined)).toEqual([])
  })

  it('and nothing is called harmless that is not there', () => {
    const claimed = Object.entries(HARMLESS).flatMap(([file, kinds]) => Object.keys(kinds).map((kind) => [file, kind]))
    expect(claimed.filter(([file, kind]) => !found.some((one) => one[0] === file && one[1] === kind))).toEqual([])
  })

  it.each(Object.keys(SECRET_PATTERNS) as SecretKind[])('a %s would be noticed', (kind) => {
    for (const sample of SAMPLES[kind]) {
      expect(secretsIn(`const x = '${sample}'\n`).map((secret) => secret.kind)).toContain(kind)
    }
  })
})
