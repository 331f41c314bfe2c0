import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { challengesIn } from '../../lib/http/error-body.ts'
import { judge } from './described.ts'
import { served } from './served.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** The parsed body of a JSON answer. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape was checked against its declaration
  readonly json: any
}

export interface Call {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: string | Buffer
}

interface Allowance {
  /** Whether the answer may be the gateway's own, which carries no security headers (http-51). */
  readonly isGatewayAllowed?: boolean
}

/**
 * One request over the wire, its path sent as it is written. Every answer is held against the description of the API:
 * status, media type, headers and body.
 */
export async function call(
  path: string,
  { method = 'GET', headers = {}, body }: Call = {},
  { isGatewayAllowed = false }: Allowance = {},
): Promise<Answer> {
  const answer = await send(new URL(served('http')), path, { method, headers, ...(body !== undefined && { body }) })
  const isGateways = isGatewayAllowed && answer.headers['x-frame-options'] === undefined
  if (!isGateways) expect(judge(method, path, answer), `${method} ${path} ${answer.status}: ${answer.text}`).toEqual([])
  return answer
}

const RENAMED = 'x-amzn-remapped-www-authenticate'

const identity = (bytes: Buffer) => bytes
const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync }

function send(base: URL, path: string, { method, headers, body }: Call): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const outgoing = httpRequest(
    { host: base.hostname, port: base.port, path, method, headers: { ...headers } },
    (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const decode = DECODERS[response.headers['content-encoding'] ?? ''] ?? identity
        const text = decode(Buffer.concat(chunks)).toString('utf8')
        const isJson = response.headers['content-type']?.includes('json') === true && text !== ''
        resolve({
          status: response.statusCode ?? 0,
          headers: withChallenge(response.headers),
          text,
          json: isJson ? JSON.parse(text) : undefined,
        })
      })
      response.on('error', reject)
    },
  )
  outgoing.on('error', reject)
  outgoing.end(body)
  return promise
}

/** On a strict run, as the function at the edge gives it back: infra/edge/challenge.yml. */
function withChallenge({ [RENAMED]: challenge, ...headers }: IncomingHttpHeaders): Answer['headers'] {
  return challenge === undefined ? headers : { ...headers, 'www-authenticate': challengesIn(`${challenge}`).join(', ') }
}

const BESIDE = ', Basic realm="API", charset="UTF-8"'

/** The challenge of the specification, without that of Basic beside it where a password is taken (http-25). */
export function challengeOf({ headers }: Pick<Answer, 'headers'>): string | undefined {
  const challenge = headers['www-authenticate']
  return challenge === undefined ? undefined : String(challenge).replace(BESIDE, '')
}

/** A form body with its content type. */
export function form(fields: Readonly<Record<string, string>> | string): Call {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(),
  }
}

export function bearer(token: string): Call {
  return { headers: { authorization: `Bearer ${token}` } }
}

export function basic(username: string, password: string): Call {
  return { headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` } }
}
