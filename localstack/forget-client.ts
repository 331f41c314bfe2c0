import { Buffer } from 'node:buffer'
import * as z from 'zod/mini'
import { apiClient } from './api-client.ts'
import type { Operator } from './operator/operator.ts'

const event = z.object({ source: z.string(), eventId: z.string(), eventType: z.string(), receivedAt: z.string() })
const page = z.object({ events: z.array(event), nextCursor: z.nullable(z.string()) })
const detail = z.object({
  payload: z.nullable(z.string()),
  payloadEncoding: z.enum(['utf8', 'base64']),
  payloadTruncated: z.boolean(),
  headers: z.record(z.string(), z.string()),
})

/** An event as the list names it. */
export type ListedEvent = z.output<typeof event>

const PATH = '/api/webhooks/events'
const PAGE = 200

/** The requests that find and delete payloads. All throw StartError when the service refuses or does not answer. */
export function forgetClient(address: URL, operator: Operator) {
  const api = apiClient(address, operator)
  const pathOf = ({ source, eventId }: ListedEvent) => `${PATH}/${source}/${encodeURIComponent(eventId)}`

  return {
    /** Pages of the events that a filter matches, newest first. */
    async *list(filter: Readonly<Record<string, string>>): AsyncGenerator<readonly ListedEvent[]> {
      let cursor: string | null = ''
      do {
        const query = new URLSearchParams({ ...filter, limit: String(PAGE), ...(cursor && { cursor }) })
        const { events, nextCursor }: z.output<typeof page> = await api.get(`${PATH}?${query}`, page)
        yield events
        cursor = nextCursor
      } while (cursor !== null)
    },

    /** The payload and the values of the headers; empty for an event that has lost them, or was deleted. */
    async textsOf(given: ListedEvent): Promise<readonly Buffer[]> {
      const found = await api.get(pathOf(given), detail)
      if (found.payload === null) return []
      const payload = found.payloadTruncated
        ? await api.bytes(`${pathOf(given)}/payload`)
        : Buffer.from(found.payload, found.payloadEncoding)
      return [payload, ...Object.values(found.headers).map((value) => Buffer.from(value))]
    },

    /** @returns undefined, or why it was not deleted */
    remove: (given: ListedEvent, isForced: boolean): Promise<string | undefined> =>
      api.remove(`${pathOf(given)}/payload${isForced ? '?force=true' : ''}`, [404, 409]),
  }
}
