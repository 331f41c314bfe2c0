import type { Notice } from './feed.ts'

/** The JSON that a watcher receives for a change. */
export function changeBody({ change, cursor }: Notice): string {
  const { id, source, eventId, eventType, status, receivedAt, proof } = change
  return JSON.stringify({ cursor, id, source, eventId, eventType, status, receivedAt, proof })
}
