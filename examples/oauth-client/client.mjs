// An OpenID Connect client that makes every check, or leaves one out to show what the lab says then:
//   node client.mjs http://127.0.0.1:3002 my-client nonce old-nonce no-nonce
// It logs in at the provider without a fault first, then at the issuer of each fault: each time twice, with two refreshes
// in between. For each it prints `logged in`, or why it refused to.
import { createHash, createHmac, createPublicKey, randomBytes, verify } from 'node:crypto'
import { argv, exit, stderr, stdout } from 'node:process'

const CHECKS = [
  ...['all', 'state', 'iss', 'error', 'code', 'id-token', 'token-type', 'algorithm', 'signature', 'key', 'issuer'],
  ...['audience', 'party', 'expiry', 'begin', 'nonce', 'refresh-token', 'refresh-refusal', 'pkce'],
]
const [provider, clientId, leftOut, ...faults] = argv.slice(2)
if (!CHECKS.includes(leftOut)) {
  stderr.write(
    `client.mjs <provider> <client id> <all, or the check to leave out> [<fault>...]\n${CHECKS.join(', ')}\n`,
  )
  exit(2)
}
const isChecked = (name) => name !== leftOut
const demand = (name, isRight) => {
  if (isChecked(name) && !isRight) throw new Error(`refused: ${name}`)
}

const REDIRECT = 'http://127.0.0.1:8765/callback'
const random = () => randomBytes(32).toString('base64url')
const json = async (url, init) => (await fetch(url, init)).json()

let issuer
let metadata
let keys

/** What a browser does: it follows redirects with its cookies, until one leads to the client. */
async function browse(url) {
  const jar = new Map()
  let next = url
  while (!next.startsWith(REDIRECT)) {
    const cookie = Array.from(jar, ([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(next, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)
      jar.set(name, value)
    }
    const location = response.headers.get('location')
    if (!location) throw new Error(`the login ends with ${response.status} at ${next}`)
    next = new URL(location, next).href
  }
  return new URL(next).searchParams
}

async function askTokens(form, patience = 30_000) {
  const body = new URLSearchParams({ client_id: clientId, ...form })
  const response = await fetch(metadata.token_endpoint, { method: 'POST', body, signal: AbortSignal.timeout(patience) })
  const answer = await response.json()
  if (!response.ok) throw new Error(`refused by the provider: ${answer.error}`)
  return answer
}

/** A code is good for one request: a client without this check is impatient, and sends it again. */
async function redeem(form) {
  if (isChecked('code')) return askTokens(form)
  return askTokens(form, 3000).catch(() => askTokens(form))
}

async function keyOf({ kid }) {
  keys ??= (await json(metadata.jwks_uri)).keys
  if (!keys.some((key) => key.kid === kid) && isChecked('key')) keys = (await json(metadata.jwks_uri)).keys
  const key = keys.find((candidate) => candidate.kid === kid)
  if (!key) throw new Error('refused: no such key')
  return createPublicKey({ key, format: 'jwk' })
}

const read = (part) => JSON.parse(Buffer.from(part, 'base64url').toString())

async function isSigned(token) {
  const [head, body, signature] = token.split('.')
  const header = read(head)
  const [data, bytes] = [Buffer.from(`${head}.${body}`), Buffer.from(signature, 'base64url')]
  // Only who lets the token choose comes here.
  if (header.alg === 'none') return true
  const key = await keyOf(header)
  const pem = () => key.export({ type: 'spki', format: 'pem' })
  if (header.alg === 'HS256') return createHmac('sha256', pem()).update(data).digest().equals(bytes)
  return verify('sha256', data, header.alg === 'ES256' ? { key, dsaEncoding: 'ieee-p1363' } : key, bytes)
}

async function checkIdToken(token, nonce) {
  demand('id-token', token !== undefined)
  if (token === undefined) return
  const [header, claims] = token.split('.').slice(0, 2).map(read)
  if (isChecked('signature')) {
    demand('algorithm', ['RS256', 'ES256'].includes(header.alg))
    demand('signature', await isSigned(token))
  }
  const now = Date.now() / 1000
  const audiences = [claims.aud].flat()
  demand('issuer', claims.iss === issuer)
  demand('audience', audiences.includes(clientId))
  demand(
    'party',
    audiences.every((one) => one === clientId || !isChecked('audience')),
  )
  demand('expiry', claims.exp > now)
  demand('begin', (claims.nbf ?? 0) <= now)
  demand('nonce', claims.nonce === nonce)
}

async function logIn() {
  const [state, nonce, verifier] = [random(), random(), random()]
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const pkce = isChecked('pkce') ? { code_challenge: challenge, code_challenge_method: 'S256' } : {}
  const asked = { client_id: clientId, redirect_uri: REDIRECT, response_type: 'code', scope: 'openid profile' }
  const query = new URLSearchParams({ ...asked, state, nonce, ...pkce, login_hint: 'ada' })
  const answer = await browse(`${metadata.authorization_endpoint}?${query}`)
  demand('state', answer.get('state') === state)
  demand('iss', answer.get('iss') === issuer)
  demand('error', !answer.has('error'))
  const code = { grant_type: 'authorization_code', code: answer.get('code'), redirect_uri: REDIRECT }
  const tokens = await redeem({ ...code, ...(isChecked('pkce') && { code_verifier: verifier }) })
  demand('token-type', /^bearer$/i.test(tokens.token_type))
  await checkIdToken(tokens.id_token, nonce)
  await json(metadata.userinfo_endpoint, { headers: { authorization: `Bearer ${tokens.access_token}` } })
  return tokens
}

async function refresh(tokens) {
  const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
  const answer = await (isChecked('refresh-refusal') ? askTokens(form) : askTokens(form).catch(() => askTokens(form)))
  return isChecked('refresh-token') ? { ...tokens, ...answer } : tokens
}

async function visit(address) {
  issuer = address
  metadata = await json(`${issuer}/.well-known/openid-configuration`)
  keys = undefined
  const tokens = await logIn()
  await refresh(await refresh(tokens))
  await logIn()
}

for (const address of [provider, ...faults.map((fault) => `${provider}/lab/${fault}`)]) {
  const outcome = await visit(address).then(
    () => 'logged in',
    ({ message }) => message,
  )
  stdout.write(`${address}: ${outcome}\n`)
}
