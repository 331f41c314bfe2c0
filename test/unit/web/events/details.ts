import type { EventDetail } from '../../../../web/events/record.ts'
import { record } from './records.ts'

/** An event with its payload. */
export function detail(changes: Partial<EventDetail> = {}): EventDetail {
  return {
    ...record(),
    payload: '{"a":1}',
    payloadEncoding: 'utf8',
    payloadTruncated: false,
    payloadDeletedAt: null,
    payloadBytes: 7,
    headers: {},
    history: [],
    items: [],
    ...changes,
  }
}

/** A move in a history, that many minutes after 03:00. */
export function move(minutes: number, status: EventDetail['status'], by: string, error: string | null = null) {
  const at = new Date(Date.UTC(2026, 0, 2, 3, minutes)).toISOString().slice(0, 23)
  return { at, status, by, error }
}
