import { Buffer } from 'node:buffer'
import * as z from 'zod/mini'
import type { Clock } from '../../lib/runtime/time.ts'
import { askStage, goodBytes, goodJson } from './ask.ts'
import type { StageCredentials } from './credentials.ts'

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

export interface ListedPage extends z.output<typeof list> {
  /** When the service answered, by its own clock. */
  readonly at: Date
}

/**
 * The requests of a listener. They throw StageAway for what passes by itself and StartError for what does not.
 */
export interface StageApi {
  page(query: Readonly<Record<string, string>>): Promise<ListedPage>
  /** Undefined for an event, or a payload, that is not there, or no longer. */
  event(key: Pick<NamedEvent, 'source' | 'eventId'>): Promise<FetchedEvent | undefined>
}

interface StageParts {
  readonly address: URL
  readonly credentials: StageCredentials
  readonly clock: Clock
}

export function stageAt({ address, credentials, clock }: StageParts): StageApi {
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
    async page(query) {
      const response = await get(`${EVENTS}?${new URLSearchParams(query)}`)
      const at = new Date(response.headers.get('date') ?? Number.NaN)
      return { ...(await goodJson(response, list)), at: Number.isNaN(at.getTime()) ? clock.now() : at }
    },
    async event({ source, eventId }) {
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
