import { Buffer } from 'node:buffer'
import { type ErrorCode, ServiceError } from '../../../lib/errors.ts'
import type { WebhookEvent } from '../../../lib/webhooks/event.ts'
import type { BatchItem } from '../../../lib/webhooks/identity.ts'
import { isIdentifier } from '../../../lib/webhooks/identity.ts'
import type { SignedCall } from '../../../lib/webhooks/schemes/scheme.ts'
import { StartError } from '../../../localstack/errors.ts'
import { START } from '../../support/fakes/clock.ts'
import { receiverFor, signedBy } from '../../support/webhook-receiver.ts'
import { changedJson } from '../json-change.ts'
import { hold, type Target } from '../target.ts'
import { WAYS, type Way } from './ways.ts'

/** What came of a body: stored, or answered as a handshake, or refused as the specification says; or nobody can sign it. */
export type Fate = 'stored' | 'handshake' | 'schema' | 'unsigned'

/** The values that a header beside the proof has: its own, or another of these. */
const HEADER_VALUES = [undefined, 'a'.repeat(257), '.', '..', '\u00ff', 'a\tb', '__proto__', `h:${'0'.repeat(32)}`]

/** Answers to what has lost a proof that was in the body. */
const UNREADABLE: readonly unknown[] = [
  'SIGNATURE_INVALID',
  'TIMESTAMP_OUTSIDE_WINDOW',
  'PAYLOAD_TOO_LARGE',
] satisfies readonly ErrorCode[]

const WITH_SCHEMA = ['payment', 'order-status']
const WITH_HANDSHAKE = ['slack', 'zoom', 'discord', 'twitch', 'event-grid']

/** Without it a call of GitHub is refused. */
const NEEDED_HEADER = 'x-github-event'

/** The headers of a way; the second byte of an input chooses the values of those beside the proof. */
function headersOf({ headers }: Way, choice: number): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, own], index) => {
      const other = HEADER_VALUES[Math.floor(choice / (index + 1)) % HEADER_VALUES.length]
      return [name, name === NEEDED_HEADER ? own : (other ?? own)]
    }),
  )
}

/** Signs a body as its sender would; undefined if that takes something that is not in it any more. */
function signed(way: Way, input: Buffer): SignedCall | undefined {
  const { name, sender, query, cannotSignAll } = way
  const body = input.subarray(2)
  const message = { headers: headersOf(way, input[1] ?? 0), body, query: query?.(body) ?? '' }
  try {
    return signedBy(name, sender, message, START)
  } catch (error) {
    const isExpected = error instanceof StartError || (error instanceof ServiceError && error.is('PAYLOAD_TOO_LARGE'))
    if (cannotSignAll && isExpected) return undefined
    throw error
  }
}

/** Signs a body as its sender would, sends it, and looks at what is stored. @throws Error if it is refused, or lost */
export async function fateOf(input: Buffer): Promise<Fate> {
  const way = WAYS[(input[0] ?? 0) % WAYS.length]
  if (!way) throw new RangeError('nobody sends it')
  const { name, cannotSignAll = false } = way
  const call = signed(way, input)
  if (!call) return 'unsigned'
  const receiver = receiverFor(name)
  const answer = await receiver.answer(call)
  if (cannotSignAll && UNREADABLE.includes(answer)) return 'unsigned'
  if (WITH_SCHEMA.includes(name) && answer === 'VALIDATION_FAILED') return 'schema'
  hold(answer === 200 || answer === 204, `${name}: answered ${answer}`)
  const [event] = receiver.events()
  hold(event !== undefined || WITH_HANDSHAKE.includes(name), `${name}: answered ${answer}, and nothing stored`)
  if (!event) return 'handshake'
  hold(event.payload.equals(call.body), `${name}: stored otherwise than it came`)
  checkKeys(event, [...receiver.store.items.values()].flat())
  return 'stored'
}

function checkKeys({ source, eventId, eventType }: WebhookEvent, items: readonly BatchItem[]): void {
  hold(isKey(eventId) && isIdentifier(eventType), `${source}: an event that no table takes`)
  const names = items.flatMap((item) => [item.eventId ?? '-', item.eventType])
  hold(names.every(isIdentifier), `${source}: an element that no table takes`)
}

/** DynamoDB takes keys of 1024 bytes. */
function isKey(text: string): boolean {
  return text !== '' && text.isWellFormed() && Buffer.byteLength(text) <= 1024
}

/** Bodies that no sender has, and a receiver has to take. */
const STRANGE: readonly Buffer[] = [
  '',
  ' ',
  'null',
  '[]',
  '{}',
  '-1e999999',
  '"\\ud800"',
  '\ufeff{}',
  '[null,1,"a",[],{}]',
  '{"__proto__":{"id":"a"},"constructor":{"prototype":1}}',
  '{"id":1,"id":[],"eventId":{},"event_id":-0,"type":null,"event":{"type":[]}}',
  '[{"sg_event_id":"\\u0000","event":""},{"sg_event_id":{},"event":[]},{"sg_event_id":"\\ud800"}]',
  '{"events":[{"webhookEventId":"","type":"\\u0007"}],"entry":[{"messaging":[{"message":{"mid":"\\u0000"}}]}]}',
  '[{"portalId":"\\u0000","subscriptionId":1,"eventId":1,"occurredAt":1}]',
  `${'['.repeat(150)}${']'.repeat(150)}`,
  `{"events":[${'{"webhookEventId":"e"},'.repeat(999)}{}]}`,
  'payload=%7B%22type%22%3A1%7D&payload=',
  'a=1&b=%ff&=&&c',
  '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><DocuSignEnvelopeInformation><EnvelopeID>&b;</EnvelopeID>',
  '--b\r\nContent-Disposition: form-data; name="token"\r\n\r\n1\r\n--b--\r\n',
  Buffer.from('{"a":1}', 'utf16le'),
  Buffer.of(0xff, 0x00),
].map((body) => Buffer.from(body))

/** A way has its own body; one that takes any body has strange ones as well. */
function bodiesOf({ name, body, cannotSignAll }: Way): readonly Buffer[] {
  const isPicky = cannotSignAll || WITH_SCHEMA.includes(name)
  return isPicky ? STRANGE.map(() => body) : [body, ...STRANGE]
}

/** Its first byte chooses who sends, the second the headers that nobody needs; the rest is the body. */
export const authenticCalls: Target = {
  name: 'authentic-calls',
  // Of five million inputs, 200,000.
  weight: 1.1,
  seeds: WAYS.flatMap((way, index) =>
    bodiesOf(way).map((body, number) => Buffer.concat([Buffer.of(index, number), body])),
  ),
  dictionary: ['"id":', '"eventId":', '"type":', 'payload=', '[null,', '\\ud800', '\\u0000', '<a>', '--b\r\n'],
  change: (input, random) => Buffer.concat([input.subarray(0, 2), changedJson(input.subarray(2), random)]),
  async run(input) {
    await fateOf(input)
  },
}
