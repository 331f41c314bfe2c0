import { messageId } from '../../../lib/deliver/signing.ts'
import type { ForwardResult } from './listener.ts'
import { shortCursor } from './options.ts'
import type { FetchedEvent, NamedEvent } from './stage.ts'

/** What a listener prints on standard output. */
export interface ListenReport {
  ready(facts: ReadyFacts): void
  forwarded(event: FetchedEvent, result: ForwardResult, again: Again, cursor: string): void
  skipped(event: NamedEvent, reason: string): void
  /** No change arrived for a while. */
  quiet(): void
  away(reason: string): void
  back(): void
  cursorRefused(): void
  stopped(cursor: string): void
}

interface ReadyFacts {
  readonly forwardTo: string
  /** Where events come from, in words. */
  readonly from: string
  /** Undefined for one that was given. */
  readonly secret: string | undefined
  readonly cursor: string
}

interface Again {
  readonly isAgain: boolean
  readonly replayId: string | undefined
}

type Write = (text: string) => void

/** One object a line; the cursors are exact. */
export function jsonReport(write: Write): ListenReport {
  const tell = (line: object): void => write(`${JSON.stringify(line)}\n`)
  return {
    ready: (facts) => tell({ kind: 'ready', ...facts }),
    forwarded(event, { isDelivered: delivered, ...result }, { isAgain: again, replayId: replay }, cursor) {
      const webhookId = messageId({ id: BigInt(event.id) })
      tell({ kind: 'forwarded', ...named(event), webhookId, delivered, ...result, again, replay, cursor })
    },
    skipped: (event, reason) => tell({ kind: 'skipped', ...named(event), reason }),
    quiet() {},
    away: (reason) => tell({ kind: 'waiting', reason }),
    back: () => tell({ kind: 'back' }),
    cursorRefused: () => tell({ kind: 'cursor-refused' }),
    stopped: (cursor) => tell({ kind: 'stopped', cursor }),
  }
}

function named({ source, eventType: type, eventId, ...rest }: NamedEvent | FetchedEvent): object {
  return { ...('receivedAt' in rest && { receivedAt: `${rest.receivedAt}Z` }), source, type, eventId }
}

/** So many events in a row are reported one by one when they are skipped for the same reason. */
const TOLD_SKIPS = 3

/** One line for each event, for people. */
export function textReport(write: Write): ListenReport {
  let reason = ''
  let skips = 0

  /** Reports how many events were skipped without a line of their own. */
  function flush(): void {
    if (skips > TOLD_SKIPS) write(`skipped ${skips - TOLD_SKIPS} more: ${reason}\n`)
    skips = 0
  }

  function line(text: string): void {
    flush()
    write(`${text}\n`)
  }

  return {
    ready({ forwardTo, from, secret, cursor }) {
      line(`Forwarding to ${forwardTo}, from ${from}`)
      if (secret !== undefined) line(`Signed with ${secret}`)
      line(`Begins after ${cursor}, Ctrl-C ends`)
    },
    forwarded(event, result, again, cursor) {
      line(`${event.receivedAt}Z  ${nameOf(event)}${mark(again)} -> ${outcome(result)}  ${shortCursor(cursor)}`)
    },
    skipped(event, why) {
      if (why !== reason) line(`${nameOf(event)}  skipped: ${why}`)
      else if (skips < TOLD_SKIPS) write(`${nameOf(event)}  skipped: ${why}\n`)
      reason = why
      skips++
    },
    quiet: flush,
    away: (why) => line(`Waiting: ${visible(why)}`),
    back: () => line('The service is back'),
    cursorRefused: () => line('The event stream does not accept the cursor: the list of events has the missed ones'),
    stopped: (cursor) => line(`Continue with --since ${cursor}`),
  }
}

function nameOf({ source, eventType, eventId }: NamedEvent): string {
  return [source, eventType, eventId].map(visible).join('  ')
}

function mark({ isAgain, replayId }: Again): string {
  if (replayId !== undefined) return ` (replay ${visible(replayId)})`
  return isAgain ? ' (again)' : ''
}

function outcome({ isDelivered, answer, tries, milliseconds }: ForwardResult): string {
  const text = answer.replace(/^HTTP /, '')
  const time = `${milliseconds} ms`
  if (isDelivered) return `${text} (${tries === 1 ? time : `try ${tries}, ${time}`})`
  return `${text} (given up after ${tries === 1 ? 'one try' : `${tries} tries`}, ${time})`
}

/** Senders choose types and ids: these texts must not move the cursor of a terminal. */
function visible(text: string): string {
  return text.toWellFormed().replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, encodeURIComponent)
}
