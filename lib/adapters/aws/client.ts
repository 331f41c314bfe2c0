import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto'
import type { Agent, ClientRequest } from 'node:http'
import { env, getBuiltinModule } from 'node:process'
import { urlToHttpOptions } from 'node:url'
import * as z from 'zod/mini'
import { unavailable } from '../../errors.ts'
import { loadConfig, optional, text, withDefault } from '../../runtime/config.ts'
import { asciiJson } from '../../runtime/message-text.ts'
import { type Clock, systemClock } from '../../runtime/time.ts'
import { bytesIn } from './sdk.ts'

type Fields = Readonly<Record<string, string>>

/** AWS credentials that sign a request. */
export interface AwsCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Present for temporary credentials, as those of roles. */
  readonly sessionToken?: string | undefined
}

/** Endpoint, region and credentials of one AWS service. */
export interface AwsService {
  readonly endpoint: URL
  readonly region: string
  readonly credentials: () => AwsCredentials | Promise<AwsCredentials>
}

/** What AWS itself puts into the environment of functions and tasks. */
const settings = {
  AWS_REGION: text,
  AWS_ENDPOINT_URL: optional(text),
  AWS_ACCESS_KEY_ID: withDefault(text, ''),
  AWS_SECRET_ACCESS_KEY: withDefault(text, ''),
  AWS_SESSION_TOKEN: optional(text),
  AWS_CONTAINER_CREDENTIALS_FULL_URI: optional(text),
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: optional(text),
}

/** Where ECS answers the tasks of a host (Amazon ECS Developer Guide, "Task IAM role"). */
const ECS = 'http://169.254.170.2'

/**
 * Access to a service with what AWS puts into the environment of functions and tasks, and what replaces its endpoint
 * there (AWS SDKs and Tools Reference Guide, "Service-specific endpoints").
 * @param service as it is in addresses
 * @param settingName as it is in the names of those settings
 * @param elsewhere the region, if it is not that of the function or task
 * @throws ConfigError
 */
export function accessFromEnvironment(service: string, settingName: string, elsewhere?: string): AwsService {
  const config = loadConfig(settings)
  const own = `AWS_ENDPOINT_URL_${settingName}`
  const { [own]: ownEndpoint } = loadConfig({ [own]: optional(text) })
  const region = elsewhere ?? config.AWS_REGION
  const path = config.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI
  const handedOut = config.AWS_CONTAINER_CREDENTIALS_FULL_URI ?? (path && `${ECS}${path}`)
  const credentials = {
    accessKeyId: config.AWS_ACCESS_KEY_ID,
    secretAccessKey: config.AWS_SECRET_ACCESS_KEY,
    sessionToken: config.AWS_SESSION_TOKEN,
  }
  return {
    endpoint: new URL(ownEndpoint ?? config.AWS_ENDPOINT_URL ?? `https://${service}.${region}.amazonaws.com`),
    region,
    credentials: handedOut === undefined ? () => credentials : taskCredentials(new URL(handedOut), systemClock),
  }
}

const part = z.string()
const taskRole = z.object({ AccessKeyId: part, SecretAccessKey: part, Token: part, Expiration: part })

/** How long before their expiry credentials are renewed, and how long ECS may take, in milliseconds. */
const [MARGIN_MS, ROLE_TIMEOUT_MS] = [300_000, 2000]

/**
 * The credentials of a task's role (Amazon ECS Developer Guide, "Task IAM role"), kept until shortly before they end.
 * @param url where ECS hands them out
 * @returns what throws an Error when it does not
 */
export function taskCredentials(url: URL, clock: Clock): () => Promise<AwsCredentials> {
  let kept: Promise<AwsCredentials> | undefined
  let until = 0

  async function ask(): Promise<AwsCredentials> {
    const { status, body } = await sendRequest(url, { method: 'GET' }, { timeout: ROLE_TIMEOUT_MS })
    if (status !== 200) throw new Error(`the credentials of the task were answered with ${status}`)
    const { AccessKeyId, SecretAccessKey, Token, Expiration } = z.parse(taskRole, JSON.parse(body))
    until = Date.parse(Expiration) - MARGIN_MS
    return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: Token }
  }

  return () => {
    if (kept === undefined || clock.now().getTime() >= until) {
      until = Number.POSITIVE_INFINITY
      kept = ask().catch((error) => {
        kept = undefined
        throw error
      })
    }
    return kept
  }
}

const ALGORITHM = 'AWS4-HMAC-SHA256'

/**
 * The headers of a signed POST to the root of a service, `host` and `authorization` among them (AWS IAM User Guide,
 * "Create a signed AWS API request", signature version 4).
 * @param headers with names in lower case
 */
export function signedHeaders(
  { host, headers, body }: { readonly host: string; readonly headers: Fields; readonly body: string },
  { accessKeyId, secretAccessKey, sessionToken }: AwsCredentials,
  { region, service, at }: { readonly region: string; readonly service: string; readonly at: Date },
): Record<string, string> {
  const time = at.toISOString().replace(/[-:]|\.\d+/g, '')
  const all: Record<string, string> = {
    ...headers,
    host,
    'x-amz-date': time,
    ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
  }
  const names = Object.keys(all).sort()
  const lines = names.map((name) => `${name}:${all[name]}\n`).join('')
  const canonical = `POST\n/\n\n${lines}\n${names.join(';')}\n${hash('sha256', body)}`
  const scope = [time.slice(0, 8), region, service, 'aws4_request']
  const signed = `${ALGORITHM}\n${time}\n${scope.join('/')}\n${hash('sha256', canonical)}`
  const signature = mac(keyFor(scope, secretAccessKey), signed).toString('hex')
  const authorization = `${ALGORITHM} Credential=${accessKeyId}/${scope.join('/')}, SignedHeaders=${names.join(';')}, Signature=${signature}`
  return { ...all, authorization }
}

/** The last derived key; most calls share its day and service. */
let last: { readonly of: string; readonly key: KeyObject } | undefined

function keyFor(scope: readonly string[], secretAccessKey: string): KeyObject {
  const of = [...scope, secretAccessKey].join('/')
  const derived = (key: KeyObject, part: string) => createSecretKey(mac(key, part))
  if (last?.of !== of) last = { of, key: scope.reduce(derived, createSecretKey(`AWS4${secretAccessKey}`, 'utf8')) }
  return last.key
}

function mac(key: KeyObject, value: string) {
  return createHmac('sha256', key).update(value).digest()
}

export interface AwsResponse {
  readonly status: number
  readonly body: string
}

/** Node would take each address apart again for every request. */
const knownOptions = new WeakMap<URL, ReturnType<typeof urlToHttpOptions>>()

/** Node's client for an address. Neither client is loaded before it is used: TLS takes most of a cold start. */
export function clientFor({ protocol }: URL) {
  return getBuiltinModule(protocol === 'http:' ? 'node:http' : 'node:https')
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

/**
 * Sends a request in the trace of the call that the function serves, as the SDK does. Its body is ASCII.
 * @param travel the time for connection and answer together, in milliseconds, and the connections that it may use
 * @throws DeadConnection, or Error when the server cannot be reached or takes too long
 */
export function sendRequest(
  url: URL,
  { method, headers, body }: { readonly method: string; readonly headers?: Fields; readonly body?: string },
  { timeout, agent }: { readonly timeout: number; readonly agent?: Agent },
): Promise<AwsResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<AwsResponse>()
  const { AWS_LAMBDA_FUNCTION_NAME: name, _X_AMZN_TRACE_ID: trace } = env
  const all = { ...headers, ...(name && trace && { 'x-amzn-trace-id': trace }) }
  const options = knownOptions.get(url) ?? urlToHttpOptions(url)
  knownOptions.set(url, options)
  const outgoing = clientFor(url).request({ ...options, method, headers: all, agent: agent ?? false }, (response) => {
    bytesIn(response).then((bytes) => resolve({ status: response.statusCode ?? 0, body: bytes.toString() }), reject)
  })
  const late = Object.assign(new Error(`no answer within ${timeout} ms`), { code: 'ETIMEDOUT' })
  const timer = setTimeout(() => outgoing.destroy(late), timeout)
  outgoing.on('error', (error) => reject(connectionError(outgoing, error)))
  outgoing.once('close', () => clearTimeout(timer))
  // One write with the headers, which are Latin-1, too.
  if (body === undefined) outgoing.end()
  else outgoing.end(body, 'latin1')
  return promise
}

export type AwsClient = ReturnType<typeof awsClient>

/**
 * Signed requests to a service that speaks JSON, on connections that are kept (decision 18).
 * @param service as it is in signatures
 */
export function awsClient(service: string, jsonVersion: '1.0' | '1.1', accessOf: () => AwsService) {
  let known: AwsService | undefined
  let agent: Agent | undefined

  function access(): AwsService {
    known ??= accessOf()
    return known
  }

  return {
    endpoint: () => access().endpoint,
    /**
     * Asks once, in ASCII.
     * @param target the version of the service, a dot, and the action
     * @throws ServiceError `UNAVAILABLE` without credentials, Error when the service cannot be reached or takes longer than so many milliseconds
     */
    async ask(target: string, input: object, timeout: number): Promise<AwsResponse> {
      const { endpoint, region, credentials } = access()
      agent ??= new (clientFor(endpoint).Agent)({ keepAlive: true })
      const body = asciiJson(input)
      const headers = { 'content-type': `application/x-amz-json-${jsonVersion}`, 'x-amz-target': target }
      const given = await Promise.try(credentials).catch((error) => Promise.reject(unavailable(error)))
      const at = systemClock.now()
      const signed = signedHeaders({ host: endpoint.host, headers, body }, given, { region, service, at })
      const request = { method: 'POST', headers: signed, body } as const
      try {
        return await sendRequest(endpoint, request, { timeout, agent })
      } catch (error) {
        if (!(error instanceof DeadConnection)) throw error
        return sendRequest(endpoint, request, { timeout })
      }
    },
  }
}

/** The name that an error has in an answer (Smithy, "AWS JSON 1.0 protocol", operation error serialization). */
export function errorCodeIn({ status, body }: AwsResponse): string {
  const [, code] = /"(?:__type|code)"\s*:\s*"(?:[\w.]{1,100}#)?(\w{1,60})"/.exec(body.slice(0, 2000)) ?? []
  return code ?? `HTTP ${status}`
}
