import type { Response } from '../ask.ts'

export type EventsResponse = Response<'webhookEvents'>
export type EventRecord = EventsResponse['events'][number]
export type EventDetail = Response<'webhookEvent'>

/** The identity of an event. */
export type RecordKey = Pick<EventRecord, 'source' | 'eventId'>

/** A key as one text; no source contains a slash. */
export function recordName({ source, eventId }: RecordKey): string {
  return `${source}/${eventId}`
}

/** The path of an event in the API. */
export function pathOf({ source, eventId }: RecordKey): string {
  return `/api/webhooks/events/${source}/${encodeURIComponent(eventId)}`
}
