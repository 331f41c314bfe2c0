import { membersIn, parseJson } from '../json.ts'
import type { Tone } from '../ui/badge.tsx'
import type { EventDetail } from './record.ts'

/** What happened to an event, its cause, and what to do. */
interface Story {
  readonly tone: Tone
  readonly title: string
  readonly text: string
}

type ShownEvent = Pick<
  EventDetail,
  'status' | 'dead' | 'held' | 'attempts' | 'nextRetryAt' | 'errorMessage' | 'outcome' | 'history'
>

/** The reasons for a failure that the service itself gives, and what they mean. */
const CAUSES: Readonly<Record<string, readonly [title: string, cause: string, remedy: string]>> = {
  'transaction belongs to another order or currency': [
    'The payment belongs to another order or currency.',
    'A payment with this transaction id is stored with another order or currency. Nothing was changed.',
    'Compare this event with the stored payment; a retry fails until they agree.',
  ],
  'unexpected error': [
    'The handler failed unexpectedly.',
    'The cause is in the log of the service, beside the id of this event. Nothing was changed.',
    'Correct the handler first.',
  ],
  'the last run did not end in time': [
    'The last attempt did not end in time.',
    'Its process stopped, or took longer than its lease. No attempt is left.',
    'Check the log of the service before you retry.',
  ],
  'the payload was deleted': [
    'The payload was deleted before the event was processed.',
    'An operator ended the attempts and deleted it.',
    'There is nothing left to retry.',
  ],
}

const OUTCOMES: Readonly<Record<string, readonly [title: string, text: string]>> = {
  superseded: [
    'A later event came first.',
    'The stored state is already further. Only missing fields were added. There is nothing to do.',
  ],
  'no action': ['Stored. No handler acts on this type of event.', 'There is nothing to do.'],
}

export function storyOf(event: ShownEvent): Story {
  if (event.status === 'PROCESSED') return processed(event)
  if (event.held) {
    return {
      tone: 'wait',
      title: 'Held: nothing acts on it.',
      text: 'The same content came before, and its id or type is not signed: another caller may have sent it again. Release it if its sender meant it.',
    }
  }
  if (event.status === 'RECEIVED') {
    return { tone: 'run', title: 'Stored and queued.', text: 'Its first attempt begins in a moment.' }
  }
  if (event.status !== 'FAILED') return { tone: 'run', title: 'An attempt is running.', text: 'It ends in a moment.' }
  return failed(event)
}

function processed({ outcome, attempts }: ShownEvent): Story {
  const known = outcome === null ? undefined : OUTCOMES[outcome]
  if (known) return { tone: 'note', title: known[0], text: known[1] }
  const text = attempts === 0 ? 'The first attempt succeeded.' : `Retry ${attempts} succeeded.`
  return { tone: 'ok', title: 'Processed.', text: outcome === null ? text : `${text} Outcome: ${outcome}.` }
}

function failed({ errorMessage, nextRetryAt, dead, attempts, history }: ShownEvent): Story {
  const reason = errorMessage ?? history.at(-1)?.error ?? 'no reason was recorded'
  const isUnreadable = dead && attempts === 0 && history[0]?.by.startsWith('intake') === true
  const [title, cause, remedy] = CAUSES[reason] ?? (isUnreadable ? unreadable(reason) : refused(reason))
  if (nextRetryAt === null) return { tone: 'bad', title, text: `${cause} No attempt is left. ${remedy}` }
  return { tone: 'wait', title, text: `${cause} The next attempt begins by itself. ${remedy}` }
}

function unreadable(reason: string): readonly [string, string, string] {
  return ['The payload cannot be read.', `The sender is proven, but: ${reason}.`, 'Report the problem to the sender.']
}

function refused(reason: string): readonly [string, string, string] {
  return ['Processing failed.', `The handler answered: ${reason}.`, 'Correct the cause, then retry.']
}

/** The payment and the order that an event is about. */
interface Effects {
  readonly payment: string | undefined
  readonly order: string | undefined
}

/** What an event of a source with handlers names; nothing for all others, or where the payload is gone. */
export function effectsOf(event: Pick<EventDetail, 'source' | 'eventType' | 'payload'>): Effects {
  const { source, eventType, payload } = event
  const body = membersIn(parseJson(payload ?? ''))
  const intent = membersIn(membersIn(body['data'])['object'])
  if (source === 'payment' || source === 'order-status') {
    return { payment: textOf(body['transactionId']), order: textOf(body['orderId']) }
  }
  if (source !== 'stripe' || !eventType.startsWith('payment_intent.')) return { payment: undefined, order: undefined }
  return { payment: textOf(intent['id']), order: textOf(membersIn(intent['metadata'])['orderId']) }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
