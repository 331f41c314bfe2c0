import { Buffer } from 'node:buffer'
import type { EventViewer } from '../auth/keys/api-key.ts'
import type { BusMessage } from '../messages/message.ts'
import type { Cancel } from '../runtime/async.ts'
import { type EventChange, WatchCursor } from '../webhooks/live/cursor.ts'
import { changeBody, type Notice } from '../webhooks/live/feed.ts'
import { scopedCursors } from '../webhooks/live/filter.ts'
import type { Watch } from '../webhooks/live/watch.ts'
import { type Frame, malformed } from './codec/frame.ts'
import { WEBHOOKS } from './destinations.ts'

/** The header of a SUBSCRIBE that asks for what was missed: the `cursor` of the last message, or of the RECEIPT. */
export const RESUME_AFTER = 'resume-after'

/** A listener for changes. */
export interface Listener {
  matches(change: EventChange): boolean
  deliver(message: BusMessage): void
  /** Settles when more can be delivered. */
  ready(signal: AbortSignal): Promise<void>
  failed(error: unknown): void
}

/** What a SUBSCRIBE resumes after, if it does. @throws ProtocolError for a text that is no cursor */
export function progressIn({ headers }: Frame): WatchCursor | undefined {
  const cursor = headers.get(RESUME_AFTER)
  if (cursor === undefined) return undefined
  const progress = WatchCursor.read(cursor)
  if (progress) return progress
  throw malformed('resume-after must be the cursor of a message')
}

/** @throws ProtocolError for a SUBSCRIBE that asks to resume what keeps nothing */
export function refuseToResume({ headers }: Frame): void {
  if (headers.has(RESUME_AFTER)) throw malformed('resume-after is for the changes of webhook events')
}

/**
 * The position at which a watcher begins.
 * @param position of a watcher that has received everything
 */
export function beginningOf(after: WatchCursor | undefined, position: string, { key }: EventViewer): string {
  if (after) return after.cursor
  return scopedCursors(key?.sources !== undefined, after)({ change: undefined, cursor: position }).cursor
}

/** Sends the changes that a listener asks for to it, no faster than it takes them. */
export function sendChanges(
  watch: Watch,
  after: WatchCursor | undefined,
  reader: EventViewer,
  listener: Listener,
): Cancel {
  const scope = scopedCursors(reader.key?.sources !== undefined, after)
  const abort = new AbortController()
  const { signal } = abort

  function deliver(notice: Notice): void {
    if (listener.matches(notice.change)) listener.deliver(webhookMessage(scope(notice)))
  }

  async function send(): Promise<void> {
    for await (const notice of watch(after, signal)) {
      if (signal.aborted) return
      if (notice.change) deliver(notice)
      await listener.ready(signal)
    }
  }

  void send().catch(listener.failed)
  return () => abort.abort()
}

/** Encoded once, because one notice is sent to many sessions. */
const messages = new WeakMap<Notice, BusMessage>()

/** The message that a subscribed admin gets for a changed webhook event. */
export function webhookMessage(notice: Notice): BusMessage {
  const message = messages.get(notice) ?? messageOf(notice)
  messages.set(notice, message)
  return message
}

function messageOf(notice: Notice): BusMessage {
  return {
    destination: WEBHOOKS,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(changeBody(notice)),
  }
}
