import type { Notice } from './feed.ts'

/** What a watcher is told of a change, in JSON. */
export function changeBody({ change, cursor }: Notice): string {
  const { id, source, eventId, eventType, status, receivedAt, proof } = change
  return JSON.stringify({ cursor, id, source, eventId, eventType, status, receivedAt, proof })
}
