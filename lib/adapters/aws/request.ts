import type { Agent, ClientRequest } from 'node:http'
import { env, getBuiltinModule } from 'node:process'
import { bytesIn } from './answer-bytes.ts'

export interface Sent {
  readonly method: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface AwsResponse {
  readonly status: number
  readonly body: string
}

/** The options of a request's transport. */
export interface Travel {
  /** For connection and answer together, in milliseconds. */
  readonly timeout: number
  /** The connections that it may use; by default a new one. */
  readonly agent?: Agent
}

/** Node's client for an address. Neither client is loaded before it is used: TLS takes most of a cold start. */
export function clientFor({ protocol }: URL) {
  return getBuiltinModule(protocol === 'http:' ? 'node:http' : 'node:https')
}

class LateAnswer extends Error {
  readonly code = 'ETIMEDOUT'
}

/**
 * A kept connection was already closed: functions are frozen between two calls, and servers close connections
 * meanwhile. On another connection the same request may succeed.
 */
export class DeadConnection extends Error {
  readonly code = 'ECONNRESET'
}

/** The error of a request that has no answer yet, or the error behind it. */
export function connectionError({ reusedSocket: isReused }: ClientRequest, error: NodeJS.ErrnoException): Error {
  const isReset = error.code === 'ECONNRESET' || error.code === 'EPIPE'
  return isReused && isReset ? new DeadConnection('a kept connection was dead', { cause: error }) : error
}

/** @throws DeadConnection, or Error when the server cannot be reached or takes too long */
export function sendRequest(url: URL, sent: Sent, { timeout, agent }: Travel): Promise<AwsResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<AwsResponse>()
  const headers = { ...sent.headers, ...traceHeader() }
  const outgoing = clientFor(url).request(url, { method: sent.method, headers, agent: agent ?? false }, (response) => {
    const { statusCode: status = 0 } = response
    bytesIn(response).then((bytes) => resolve({ status, body: bytes.toString() }), reject)
  })
  const late = () => outgoing.destroy(new LateAnswer(`no answer within ${timeout} ms`))
  const timer = setTimeout(late, timeout)
  outgoing.on('error', (error) => reject(connectionError(outgoing, error)))
  outgoing.once('close', () => clearTimeout(timer))
  outgoing.end(sent.body)
  return promise
}

/**
 * The trace header of the call that the function serves, as the SDK sends it; its requests then belong to that trace.
 */
function traceHeader(): Readonly<Record<string, string>> {
  const { AWS_LAMBDA_FUNCTION_NAME: name, _X_AMZN_TRACE_ID: trace } = env
  return name && trace ? { 'x-amzn-trace-id': trace } : {}
}
