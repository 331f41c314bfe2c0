import { Buffer } from 'node:buffer'
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { dnElements, dnKey } from '../../../lib/adapters/ldap/dn.ts'
import { MessageStream, sizeOfMessage } from '../../../lib/adapters/ldap/message-stream.ts'
import { openIdProvider } from '../../../lib/adapters/oidc/openid.ts'
import { facebookProvider, githubProvider } from '../../../lib/adapters/oidc/plain.ts'
import { type Attributes, type IdentityProvider, LoginRefused } from '../../../lib/auth/oauth2/identity-provider.ts'
import { identityOf, type ProviderIdentity } from '../../../lib/auth/oauth2/providers.ts'
import { recordSteps } from '../../../lib/auth/oauth2/steps.ts'
import { changedJson } from '../json-change.ts'
import { bytesOf, hold, type Target } from '../target.ts'

const IDS = ['google', 'github', 'facebook']

const SEEDS = bytesOf(
  '{"sub":"1","name":"Zoé","email":"z@example.com","email_verified":true,"picture":"https://example.com/p"}',
  '{"id":1,"login":"zoe","name":null,"avatar_url":"x","emails":[{"email":"z@example.com","primary":true,"verified":true}]}',
  '{"id":"1","name":"Zoé","email":"z@example.com","picture":{"data":{"url":"https://example.com/p"}}}',
  '{"__proto__":{"polluted":1},"id":"a,b"}',
)

/** What a provider tells of its user. */
const profiles: Target = {
  name: 'profiles',
  seeds: SEEDS,
  dictionary: ['"sub":', '"id":', '"email":', '"emails":[{', '"picture":{"data":{'],
  change: changedJson,
  run(input) {
    const attributes = objectIn(input)
    if (!attributes) return
    for (const id of IDS) checkIdentity(unlessLoginRefused(() => identityOf(id, attributes)))
    hold(!('polluted' in {}), 'a changed prototype')
  },
}

function objectIn(input: Buffer): Attributes | undefined {
  try {
    const value: unknown = JSON.parse(input.toString())
    return typeof value === 'object' && value !== null ? (value as Attributes) : undefined
  } catch {
    return undefined
  }
}

function checkIdentity(identity: ProviderIdentity | undefined): void {
  if (!identity) return
  hold(/^[ -~]{1,255}$/.test(identity.subject), 'a subject that may be taken for another')
  for (const value of Object.values(identity.profile.attributes)) {
    hold(typeof value !== 'object' || value === null, 'more than a plain value is kept')
  }
}

function unlessLoginRefused<T>(ask: () => T): T | undefined {
  try {
    return ask()
  } catch (error) {
    if (error instanceof LoginRefused) return undefined
    throw error
  }
}

const CLIENT = { clientId: 'client', clientSecret: { current: 'secret' } }
const ISSUER = 'https://provider.example'
const ENDPOINTS = {
  authorization: new URL(`${ISSUER}/authorize`),
  token: new URL(`${ISSUER}/token`),
  api: new URL(`${ISSUER}/api`),
}
const MAKERS: readonly (() => IdentityProvider)[] = [
  () => githubProvider(CLIENT, ENDPOINTS),
  () => facebookProvider(CLIENT, ENDPOINTS),
  () => openIdProvider({ ...CLIENT, issuer: new URL(ISSUER), scope: 'openid' }),
]

const BETWEEN = '\n--\n'
const TOKEN = '200{"access_token":"t","token_type":"bearer","expires_in":3600}'
const DISCOVERY = `200{"issuer":"${ISSUER}","authorization_endpoint":"${ISSUER}/a","token_endpoint":"${ISSUER}/token","jwks_uri":"${ISSUER}/k","response_types_supported":["code"],"subject_types_supported":["public"],"id_token_signing_alg_values_supported":["RS256"]}`
const ID_TOKEN =
  '200{"access_token":"t","token_type":"bearer","id_token":"eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJodHRwczovL3Byb3ZpZGVyLmV4YW1wbGUiLCJzdWIiOiIxIiwiYXVkIjoiY2xpZW50IiwiZXhwIjo5OTk5OTk5OTk5LCJpYXQiOjE3MDAwMDAwMDAsIm5vbmNlIjoibiJ9.AAAA"}'

/** Its first byte chooses the provider; then the answers in their order, each a status and a body. */
const logins: Target = {
  name: 'provider-answers',
  seeds: bytesOf(
    ['0', TOKEN, `200${SEEDS[1]}`, '200[{"email":"z@example.com","primary":true,"verified":true}]']
      .join(BETWEEN)
      .replace(BETWEEN, ''),
    ['1', TOKEN, `200${SEEDS[2]}`].join(BETWEEN).replace(BETWEEN, ''),
    ['2', DISCOVERY, ID_TOKEN, '200{"keys":[]}'].join(BETWEEN).replace(BETWEEN, ''),
    '0400{"error":"invalid_grant","error_description":"<script>"}',
  ),
  dictionary: [BETWEEN, '200', '404', '"access_token":', '"token_type":"bearer"', '"id_token":', '"error":', '"keys":'],
  change: (input, random) => Buffer.concat([input.subarray(0, 1), changedJson(input.subarray(1), random)]),
  weight: 0.02,
  async run(input) {
    const make = MAKERS[((input[0] ?? 0) - 48) % MAKERS.length] ?? MAKERS[0]
    const answers = input.subarray(1).toString().split(BETWEEN)
    const callback = new URL('https://gatehouse.example/callback?code=c&state=s')
    const expected = { state: 's', nonce: 'n', codeVerifier: 'v'.repeat(43) }
    await answering(answers, async () => {
      try {
        const attributes = await make?.().attributesOf(callback, expected, recordSteps())
        hold(typeof attributes === 'object', 'a user without attributes')
      } catch (error) {
        if (!(error instanceof LoginRefused)) throw error
      }
    })
  },
}

/** The network, in which each request gets the next answer. */
async function answering(answers: readonly string[], run: () => Promise<void>): Promise<void> {
  const { fetch } = globalThis
  let asked = 0
  globalThis.fetch = async () => {
    const [, status = '200', body = ''] = /^([2-5]\d\d)?(.*)$/s.exec(answers[asked++] ?? '404') ?? []
    const isEmpty = status === '204' || status === '205' || status === '304'
    return new Response(isEmpty ? null : body, {
      status: Number(status),
      headers: { 'content-type': 'application/json' },
    })
  }
  try {
    await run()
  } finally {
    globalThis.fetch = fetch
  }
}

const REFUSED = /^The directory sent /

/** What a directory sends, cut into pieces by its first byte: whole messages are handed over, none is made up. */
const ldapMessages: Target = {
  name: 'ldap-messages',
  seeds: [
    Buffer.from('01300c02010161070a010004000400', 'hex'),
    Buffer.from('05300c02010161070a010004000400300c02010261070a010004000400', 'hex'),
    Buffer.from('033081050201016500', 'hex'),
    Buffer.from('0930840000000502010165003080', 'hex'),
  ],
  dictionary: ['0', '0\u0000', '\u0080'],
  run(input) {
    const data = input.subarray(1)
    const socket = Object.assign(new EventEmitter(), { destroy() {}, write() {} })
    const stream = new MessageStream(socket as unknown as Socket)
    const size = 1 + ((input[0] ?? 0) & 15) + (data.length >> 7)
    for (let from = 0; from < data.length; from += size) socket.emit('data', data.subarray(from, from + size))
    const read: Buffer = stream.read() ?? Buffer.alloc(0)
    hold(data.subarray(0, read.length).equals(read), 'bytes that the directory did not send')
    stream.destroy()
    checkSize(data)
  },
}

function checkSize(data: Buffer): void {
  try {
    const size = sizeOfMessage(data)
    hold(size === undefined || size >= 2, 'a message without a length')
  } catch (error) {
    if (!(error instanceof Error && REFUSED.test(error.message))) throw error
  }
}

/** Names of groups as a directory gives them: case, blanks and escapes tell nothing apart, and a name is below itself. */
const names: Target = {
  name: 'ldap-names',
  seeds: bytesOf(
    'uid=ben,ou=people,dc=springframework,dc=org',
    'CN=a\\,b+OU="c, d" , dc=x',
    'cn=\\c3\\a9 \\20',
    'a=b=c;d=\\',
  ),
  dictionary: [',', '+', '=', '\\', '\\,', '\\20', '"', '\\"', ';', 'dc=', 'é'],
  run(input) {
    const dn = input.toString()
    const elements = dnElements(dn)
    hold(dnKey(dn) === elements.join(','), 'a name that is not made of its elements')
    const ascii = /^[\x20-\x7e]*$/.test(dn)
    if (ascii) hold(dnKey(dn.toUpperCase()) === dnKey(dn.toLowerCase()), 'a name that knows case')
  },
}

export const UPSTREAM_TARGETS: readonly Target[] = [profiles, logins, ldapMessages, names]
