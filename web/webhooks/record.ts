import type { Response } from '../ask.ts'

export type EventPage = Response<'webhookEvents'>
export type EventRecord = EventPage['events'][number]
export type EventDetail = Response<'webhookEvent'>

/** What names an event. */
export type EventKey = Pick<EventRecord, 'source' | 'eventId'>

/** A key as one text; no source holds a slash. */
export function nameOf({ source, eventId }: EventKey): string {
  return `${source}/${eventId}`
}

/** The path of an event in the API. */
export function pathOf({ source, eventId }: EventKey): string {
  return `/api/webhooks/events/${source}/${encodeURIComponent(eventId)}`
}

/** A local date-time of the API, which is UTC. */
export function timeOf(localDateTime: string): Date {
  return new Date(`${localDateTime}Z`)
}
