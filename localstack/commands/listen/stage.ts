import { Buffer } from 'node:buffer'
import * as z from 'zod/mini'
import { readRetryAfter } from '../../../lib/deliver/policy.ts'
import type { Clock } from '../../../lib/runtime/time.ts'
import { UsageError } from '../../command.ts'
import { StartError } from '../../errors.ts'
import { type OperatorCredentials, operatorCredentials, operatorOf } from '../../operator/operator.ts'
import { refusalReason } from '../../operator/refusal.ts'
import { jsonIn } from '../../stack/http.ts'

const EVENTS = '/api/webhooks/events'

const listed = z.object({ id: z.string(), source: z.string(), eventId: z.string(), eventType: z.string() })

const list = z.object({ events: z.array(listed), nextCursor: z.nullable(z.string()) })

const detail = z.object({
  ...listed.shape,
  receivedAt: z.string(),
  payload: z.nullable(z.string()),
  payloadEncoding: z.nullable(z.enum(['utf8', 'base64'])),
  payloadTruncated: z.boolean(),
  headers: z.record(z.string(), z.string()),
  history: z.array(z.object({ at: z.string(), by: z.string() })),
})

/** An event as lists and streams name it. */
export type NamedEvent = z.output<typeof listed>

/** An event with everything that is forwarded, and its moves. */
export interface FetchedEvent extends NamedEvent, Pick<z.output<typeof detail>, 'receivedAt' | 'headers' | 'history'> {
  /** The bytes as received. */
  readonly payload: Buffer
}

export type StageApi = ReturnType<typeof stageAt>

interface StageParts {
  readonly address: URL
  readonly credentials: StageCredentials
  readonly clock: Clock
}

/** The requests of a listener. They throw StageAway for what passes by itself and StartError for what does not. */
export function stageAt({ address, credentials, clock }: StageParts) {
  /** @throws StageAway, StartError */
  async function get(path: string): Promise<Response> {
    const first = await getOnce(path)
    if (first.status !== 401) return first
    return credentials.renew() ? getOnce(path) : first
  }

  async function getOnce(path: string): Promise<Response> {
    const headers = await credentials.http()
    return askStage(new URL(path, address), { headers }, clock)
  }

  async function payloadOf(path: string): Promise<Buffer | undefined> {
    const response = await get(`${path}/payload`)
    return isGone(response) ? undefined : goodBytes(response)
  }

  return {
    /** With the time of the answer, by the clock of the service. */
    async page(query: Readonly<Record<string, string>>) {
      const response = await get(`${EVENTS}?${new URLSearchParams(query)}`)
      const at = new Date(response.headers.get('date') ?? Number.NaN)
      return { ...(await goodJson(response, list)), at: Number.isNaN(at.getTime()) ? clock.now() : at }
    },
    /** Undefined for an event, or a payload, that is not there, or no longer. */
    async event({ source, eventId }: Pick<NamedEvent, 'source' | 'eventId'>): Promise<FetchedEvent | undefined> {
      // No address can name these: a URL takes them for steps.
      if (/^\.{1,2}$/.test(eventId)) return undefined
      const path = `${EVENTS}/${encodeURIComponent(source)}/${encodeURIComponent(eventId)}`
      const response = await get(path)
      if (isGone(response)) return undefined
      const { payload: text, payloadEncoding, payloadTruncated, ...rest } = await goodJson(response, detail)
      if (text === null) return undefined
      const payload = payloadTruncated ? await payloadOf(path) : Buffer.from(text, payloadEncoding ?? 'utf8')
      return payload && { ...rest, payload }
    },
  }
}

function isGone({ status }: Response): boolean {
  return status === 404 || status === 410
}

/** The time for one answer, in milliseconds. */
const TIMEOUT_MS = 30_000

/**
 * Sends one request; follows no redirect.
 * @throws StageAway when nothing answers, or for an answer that asks for a retry
 */
async function askStage(url: URL, init: RequestInit | undefined, clock: Clock): Promise<Response> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(url, { ...init, signal, redirect: 'manual' }).catch((cause) => {
    throw new StageAway(`nothing answers at ${url.origin}`, { cause })
  })
  const { status, headers } = response
  if (status !== 429 && status < 500) return response
  const retryAfter = readRetryAfter(headers.get('retry-after') ?? undefined, clock.now())
  throw new StageAway(`the service answers ${status}`, { retryAfter })
}

/** The body of a success. @throws StartError for any other answer, StageAway when it is cut off */
async function goodBytes(response: Response): Promise<Buffer> {
  const bytes = await response.arrayBuffer().catch((cause) => {
    throw new StageAway('an answer was cut off', { cause })
  })
  if (response.status === 200) return Buffer.from(bytes)
  const reason = refusalReason(jsonIn(Buffer.from(bytes).toString()))
  throw new StartError(`The service at ${new URL(response.url).origin} answers ${response.status}: ${reason}`)
}

/** The same of JSON. @throws StartError also for a body of another shape */
async function goodJson<S extends z.ZodMiniType>(response: Response, schema: S): Promise<z.output<S>> {
  const { success, data } = z.safeParse(schema, jsonIn((await goodBytes(response)).toString()))
  if (success) return data
  throw new StartError(`The server at ${new URL(response.url).origin} is not Gatehouse, or another version of it.`)
}

/** Who listens. The functions throw StageAway and StartError, `renew` the latter when no others can be had. */
export type StageCredentials = OperatorCredentials

/**
 * The credentials that the environment names: an API key, a token, or a user with a password.
 * @throws UsageError when it names two, StartError when it names none
 */
export function credentialsFor(
  address: URL,
  user: string | undefined,
  given: NodeJS.ProcessEnv,
  clock: Clock,
): StageCredentials {
  const { GATEHOUSE_API_KEY: key, GATEHOUSE_TOKEN: token } = given
  if (key && token) throw new UsageError('Set GATEHOUSE_TOKEN or GATEHOUSE_API_KEY, not both')
  if (key) return keyCredentials(key)
  const operator = operatorOf(address, user, given)
  const credentials = operatorCredentials(operator, (path, init) => askStage(new URL(path, address), init, clock))
  if (!token) return credentials
  return { ...credentials, renew: () => ended('token in GATEHOUSE_TOKEN', 'log in and set a new one') }
}

function keyCredentials(key: string): StageCredentials {
  const fields = async () => ({ 'x-api-key': key })
  return {
    http: fields,
    grpc: fields,
    renew: () => ended('API key in GATEHOUSE_API_KEY', 'have an admin make another one'),
  }
}

function ended(what: string, remedy: string): never {
  throw new StartError(`The ${what} is not, or no longer, good: ${remedy}.`)
}

/** The service cannot answer now, and may later; the message says why in a few words. */
export class StageAway extends Error {
  override readonly name = 'StageAway'
  /** What it asked to wait, in milliseconds. */
  readonly retryAfter: number | undefined

  constructor(message: string, options: ErrorOptions & { readonly retryAfter?: number | undefined } = {}) {
    super(message, options)
    this.retryAfter = options.retryAfter
  }
}
