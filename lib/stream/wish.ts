import type { IncomingMessage } from 'node:http'
import { type EventViewer, mayRead, readable } from '../auth/keys/api-key.ts'
import { REPEATABLE } from '../contract/requests/event-filter.ts'
import { eventStream } from '../contract/requests/event-stream.ts'
import { invalid } from '../errors.ts'
import { readQuery } from '../http/query.ts'
import type { EventChange } from '../webhooks/live/change.ts'
import { WatchCursor } from '../webhooks/live/cursor.ts'
import { isWanted } from '../webhooks/live/wanted.ts'

/** What a listener asks for. */
export interface Wish {
  /** What it resumes after. */
  readonly told: WatchCursor | undefined
  isTold(change: EventChange): boolean
}

/**
 * What a request asks for, of what its sender may know of: by the query, and the cursor of the last event that came.
 * @throws ServiceError `VALIDATION_FAILED`, `KEY_OUT_OF_SCOPE`
 */
export function wishOf({ url = '', headers }: IncomingMessage, reader: EventViewer): Wish {
  const [, query = ''] = /\?(.*)$/s.exec(url) ?? []
  const wish = readQuery(query, eventStream, REPEATABLE)
  for (const source of wish.source ?? []) readable(reader, { source })
  return {
    told: progressAfter([headers['last-event-id'] ?? ''].flat().join()),
    isTold: (change) => mayRead(reader, change.source) && isWanted(change, wish),
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
