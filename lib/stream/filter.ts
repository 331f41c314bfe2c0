import type { IncomingMessage } from 'node:http'
import { type EventViewer, mayRead, readable } from '../auth/keys/api-key.ts'
import { REPEATABLE } from '../contract/requests/event-filter.ts'
import { eventStream } from '../contract/requests/event-stream.ts'
import { invalid } from '../errors.ts'
import { readQuery } from '../http/query.ts'
import type { EventChange } from '../webhooks/live/change.ts'
import { WatchCursor } from '../webhooks/live/cursor.ts'
import { matchesFilter } from '../webhooks/live/filter.ts'

/** What a listener asks for. */
export interface StreamFilter {
  /** What it resumes after. */
  readonly after: WatchCursor | undefined
  matches(change: EventChange): boolean
}

/**
 * What a request asks for, of what its sender may know of: by the query, and the cursor of the last event that came.
 * @throws ServiceError `VALIDATION_FAILED`, `KEY_OUT_OF_SCOPE`
 */
export function filterOf({ url = '', headers }: IncomingMessage, reader: EventViewer): StreamFilter {
  const [, query = ''] = /\?(.*)$/s.exec(url) ?? []
  const wanted = readQuery(query, eventStream, REPEATABLE)
  for (const source of wanted.source ?? []) readable(reader, { source })
  return {
    after: progressAfter([headers['last-event-id'] ?? ''].flat().join()),
    matches: (change) => mayRead(reader, change.source) && matchesFilter(change, wanted),
  }
}

/** A client that has received nothing may send it empty. */
function progressAfter(cursor: string): WatchCursor | undefined {
  if (cursor === '') return undefined
  const progress = WatchCursor.read(cursor)
  if (progress) return progress
  throw invalid([{ path: ['Last-Event-ID'], message: 'must be the id of an event of this stream' }], {
    'Last-Event-ID': cursor,
  })
}
