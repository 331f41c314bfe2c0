import type { IncomingMessage, ServerResponse } from 'node:http'
import { type EventViewer, mayRead, readable } from '../auth/keys/api-key.ts'
import { createLifetime, type Entered } from '../auth/live/gate.ts'
import { errorShape } from '../contract/error-shape.ts'
import { eventStream } from '../contract/requests/events.ts'
import { fail, invalid, type ServiceError, serviceErrorOf, unavailable } from '../errors.ts'
import { readQuery } from '../http/query.ts'
import type { Timers } from '../runtime/async.ts'
import { noteRefusal, SlowClient } from '../runtime/limits.ts'
import type { Log } from '../runtime/log.ts'
import type { Metrics } from '../runtime/metrics.ts'
import type { Clock } from '../runtime/time.ts'
import { type EventChange, WatchCursor } from '../webhooks/live/cursor.ts'
import { changeBody, type Notice } from '../webhooks/live/feed.ts'
import { filtered, matchesFilter } from '../webhooks/live/filter.ts'
import type { Quiet, Watch } from '../webhooks/live/watch.ts'

export interface EventStreamParts {
  readonly watch: Watch
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Log
  readonly metrics: Pick<Metrics, 'count'>
}

/** An open stream. */
export interface EventStream {
  /** Asks the client to reconnect to another instance. */
  drain(): void
}

interface Opened {
  readonly entered: Entered
  readonly filter: StreamFilter
  /** The path that errors name. */
  readonly path: string
  /** Called when the stream has ended. */
  closed(): void
}

/** How long a client waits before it reconnects, in milliseconds. */
const RETRY_MS = 2000

/** How long a client may leave waiting data unread, in milliseconds. */
const UNREAD_MS = 30_000

/** How long a client has to read the last event, in milliseconds. */
const CLOSE_MS = 2000

/**
 * Sends changes to a client (HTML standard, "Server-sent events"), no faster than it reads, until its credentials end.
 */
export function startEventStream(parts: EventStreamParts, response: ServerResponse, opened: Opened): EventStream {
  const { clock, metrics, timers } = parts
  const { entered, filter, path, closed } = opened
  const abort = new AbortController()
  const { signal } = abort
  const lifetime = createLifetime({ clock, timers, ended: refuse })
  let wake: () => void = () => {}

  function over(): void {
    if (signal.aborted) return
    lifetime.stop()
    abort.abort(OVER)
    wake()
    closed()
  }

  /** The last event contains the reason. */
  function end(error: ServiceError): void {
    if (signal.aborted) return
    over()
    response.end(`event: end\ndata: ${JSON.stringify(errorShape(error, { path, now: clock.now() }))}\n\n`)
    response.once(
      'close',
      timers.after(CLOSE_MS, () => response.destroy()),
    )
  }

  function refuse(thrown: unknown): void {
    if (signal.aborted) return
    const error = serviceErrorOf(thrown)
    noteRefusal(parts, 'stream', 'stream ended', error)
    end(error)
  }

  /** Settles when the client has read the written data, or has disconnected. */
  async function drained(): Promise<void> {
    if (!response.writableNeedDrain || signal.aborted) return
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    wake = resolve
    const cancel = timers.after(UNREAD_MS, () => reject(unavailable(new SlowClient('the client reads too slowly'))))
    await promise.finally(cancel)
  }

  async function send(): Promise<void> {
    const isScoped = entered.owner.key?.sources !== undefined
    response.write(`retry: ${RETRY_MS}\n\n`)
    for await (const notice of filtered(parts, { ...filter, isScoped }, signal)) {
      if (signal.aborted) return
      response.write(blockOf(notice))
      if (notice.change) metrics.count('MessagesDelivered')
      await drained()
    }
  }

  response.on('drain', () => wake()).once('close', over)
  lifetime.follow(entered)
  void send().catch(refuse)
  return { drain: () => end(fail('UNAVAILABLE')) }
}

/** While there is no change, a comment keeps the connection alive; the id advances without an event. */
function blockOf(notice: Notice | Quiet): string {
  const id = `id: ${notice.cursor}\n`
  return notice.change ? `event: webhook\n${id}data: ${changeBody(notice)}\n\n` : `: quiet\n${id}\n`
}

/** Without a reason, each abort creates an error with its stack. */
const OVER = new Error('the stream is over')

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
  const wanted = readQuery(query, eventStream)
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
