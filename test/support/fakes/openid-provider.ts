import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type JWTPayload, SignJWT } from 'jose'

export const ISSUER = 'https://login.example/realms/corp'

/** A key for each algorithm. */
const KEYS: Readonly<Record<string, KeyObject>> = {
  RS: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  ES: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  Ed: generateKeyPairSync('ed25519').privateKey,
}

const keyOf = (alg: string) => KEYS[alg.slice(0, 2).replace('PS', 'RS')] as KeyObject

export function publicJwk(alg: string, kid?: string): object {
  return { ...createPublicKey(keyOf(alg)).export({ format: 'jwk' }), ...(kid !== undefined && { kid }), use: 'sig' }
}

/** What a provider does unlike the usual one. */
export interface Habit {
  readonly issuer?: string
  /** Members of the metadata; undefined takes one away. */
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly alg?: string
  readonly kid?: string | null
  readonly keys?: readonly object[]
  /** Claims of the ID token; undefined takes one away. */
  readonly claims?: Readonly<Record<string, unknown>>
  /** Members of the answer with the tokens; undefined takes one away. */
  readonly tokens?: Readonly<Record<string, unknown>>
  /** Claims of the user info; undefined takes one away. */
  readonly user?: Readonly<Record<string, unknown>>
  /** Whole answers, by the last part of the address. */
  readonly answers?: Readonly<Record<string, () => Response | Promise<Response>>>
  /** Parameters of the callback; undefined takes one away. */
  readonly callback?: Readonly<Record<string, string | undefined>>
}

/** A request for tokens. */
export interface TokenRequest {
  readonly authorization: string | undefined
  readonly parameters: URLSearchParams
}

/** A provider without a network: its `fetch`, and its page that asks nothing. */
export function openIdProviderWith(habit: Habit) {
  const { issuer = ISSUER, alg = 'RS256', kid = 'one', keys = [publicJwk(alg, kid ?? undefined)] } = habit
  const base = issuer.replace(/\/$/, '')
  const requests: TokenRequest[] = []
  let nonce = ''

  const now = () => Math.floor(Date.now() / 1000)
  const idToken = () =>
    new SignJWT({ ...claims(), ...habit.claims } as JWTPayload)
      .setProtectedHeader({ alg, ...(kid !== null && { kid }) })
      .sign(keyOf(alg))
  const claims = () => ({ iss: issuer, aud: 'gatehouse', sub: 'u-42', iat: now(), exp: now() + 3600, nonce })

  const answers: Habit['answers'] = {
    'openid-configuration': () =>
      Response.json({
        issuer,
        authorization_endpoint: `${base}/authorize`,
        token_endpoint: `${base}/token`,
        userinfo_endpoint: `${base}/userinfo`,
        jwks_uri: `${base}/jwks`,
        id_token_signing_alg_values_supported: [alg],
        ...habit.metadata,
      }),
    token: async () =>
      Response.json({ access_token: 'at', token_type: 'Bearer', id_token: await idToken(), ...habit.tokens }),
    jwks: () => Response.json({ keys }),
    userinfo: () => Response.json({ sub: String(habit.claims?.['sub'] ?? 'u-42'), ...habit.user }),
    ...habit.answers,
  }

  return {
    requests,
    async fetch(address: string | URL, { headers, body }: RequestInit = {}): Promise<Response> {
      const name = new URL(address).pathname.split('/').at(-1) ?? ''
      const authorization = new Headers(headers).get('authorization') ?? undefined
      if (name === 'token') requests.push({ authorization, parameters: new URLSearchParams(String(body)) })
      return (await answers[name]?.()) ?? new Response('not found', { status: 404 })
    },
    async page({ searchParams }: URL): Promise<URL> {
      nonce = searchParams.get('nonce') ?? ''
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      const sent = { code: 'c', state: searchParams.get('state') ?? '', ...habit.callback }
      for (const [name, value] of Object.entries(sent)) if (value !== undefined) back.searchParams.set(name, value)
      return back
    },
    idToken,
  }
}

/** The same at an address of this machine. */
export async function serveOpenIdProvider(habit: Omit<Habit, 'issuer'>): Promise<{ issuer: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', issuer)
    if (url.pathname.endsWith('/authorize'))
      return response.writeHead(302, { location: (await provider.page(url)).href }).end()
    const { authorization } = request.headers
    const body = await text(request)
    const answer = await provider.fetch(url, { ...(authorization && { headers: { authorization } }), body })
    const type = answer.headers.get('content-type') ?? 'text/plain'
    return response.writeHead(answer.status, { 'content-type': type }).end(await answer.text())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/realms/corp`
  const provider = openIdProviderWith({ ...habit, issuer })
  return {
    issuer,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
