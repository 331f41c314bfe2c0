import { Buffer } from 'node:buffer'
import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'

/** For connection and answer together, in milliseconds. */
const TIMEOUT = 2000

export interface Sent {
  readonly method: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Answer {
  readonly status: number
  readonly body: string
}

/**
 * One request on a connection of its own: those of a frozen function are dead.
 * @throws Error when the server cannot be reached or takes too long
 */
export function request(url: URL, { body, ...options }: Sent): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const send = url.protocol === 'http:' ? overHttp : overHttps
  const sent = send(url, { ...options, agent: false, signal: AbortSignal.timeout(TIMEOUT) }, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }))
    response.on('error', reject)
  })
  sent.on('error', reject)
  sent.end(body)
  return promise
}
