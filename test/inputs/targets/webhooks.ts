import { Buffer } from 'node:buffer'
import type { ErrorCode } from '../../../lib/errors.ts'
import { messagesIn } from '../../../lib/messages/tail.ts'
import { ProcessingError } from '../../../lib/webhooks/apply.ts'
import type { EventIdentity } from '../../../lib/webhooks/identity.ts'
import { readReplayHint } from '../../../lib/webhooks/operators/replay-job.ts'
import { PROVIDERS } from '../../../lib/webhooks/providers/index.ts'
import { readHint } from '../../../lib/webhooks/retry/worker.ts'
import { sourceOf } from '../../../lib/webhooks/sources/catalog.ts'
import { trustStored } from '../../../lib/webhooks/verify.ts'
import { authenticCalls } from '../authentic/target.ts'
import { changedJson } from '../json-change.ts'
import { unlessRefused } from '../refusal.ts'
import { SEEDS } from '../signatures/seeds.ts'
import { signatureTarget } from '../signatures/target.ts'
import { bytesOf, hold, type Target } from '../target.ts'

const SOURCES = ['payment', 'order-status', 'any-other', ...Object.keys(PROVIDERS)]

/** Whoever else sends is refused nothing: what nobody can read is kept. */
const REFUSALS: ReadonlyMap<string, readonly ErrorCode[]> = new Map([
  ['payment', ['VALIDATION_FAILED']],
  ['order-status', ['VALIDATION_FAILED']],
  ['mailgun', ['PAYLOAD_TOO_LARGE']],
])

/** Its first byte chooses who sends. */
const events: Target = {
  name: 'events',
  seeds: [
    ...bytesOf(
      '\0{"eventId":"e-1","eventType":"PAYMENT","timestamp":"2026-01-01T00:00:00","transactionId":"t","orderId":"o","status":"COMPLETED","amount":10.00,"currency":"EUR"}',
      '\u0001{"eventId":"e-2","orderId":"o","status":"SHIPPED","previousStatus":"PENDING","timestamp":"2026-01-01T00:00:00.1"}',
    ),
    ...SEEDS.map(({ kind, call }) => {
      const index = SOURCES.findIndex((source) => kind.startsWith(source))
      return Buffer.concat([Buffer.of(Math.max(index, 0)), call.body])
    }),
  ],
  dictionary: ['"eventId":', '"amount":', '1e999999', '"data":{"object":{', 'payload=', '%7B', '"id":', '"type":'],
  change: (input, random) => Buffer.concat([input.subarray(0, 1), changedJson(input.subarray(1), random)]),
  run(input) {
    const source = sourceOf(SOURCES[(input[0] ?? 0) % SOURCES.length] ?? 'any-other')
    const body = trustStored(input.subarray(1))
    const headers = { 'webhook-id': 'msg_1', 'x-github-event': 'push', 'x-github-delivery': 'd-1' }
    const read = unlessRefused(REFUSALS.get(source.name) ?? [], () => source.read({ body, headers }))
    if (!read) return
    checkIdentity(read.identity)
    try {
      unlessRefused(['VALIDATION_FAILED'], read.plan)
    } catch (error) {
      if (!(error instanceof ProcessingError)) throw error
    }
    hold(!('polluted' in {}), 'a changed prototype')
  },
}

/** DynamoDB takes keys of 2048 bytes, the source and a separator included. */
function checkIdentity({ eventId, eventType }: EventIdentity): void {
  hold(eventId === undefined || (eventId !== '' && Buffer.byteLength(eventId) <= 1024), 'an event id that is no key')
  hold(typeof eventType === 'string', 'an event without a type')
}

const NO_HINT = /is no hint$/

/** Messages of the queues, and of instances among each other: they count as ours, and are refused when they are not. */
const messages: Target = {
  name: 'queue-messages',
  seeds: bytesOf(
    '{"source":"stripe","eventId":"evt_1","n":1}',
    '{"replayId":"r-1","step":0}',
    '{"changeId":"1","id":"2","source":"s","eventId":"e","eventType":"t","status":"FAILED","receivedAt":"2026-01-01"}',
    '[{"destination":"/topic/a","headers":{"x":"y"},"base64":"aGk="}]',
  ),
  dictionary: ['"n":', '"step":', '"changeId":', '"base64":'],
  change: changedJson,
  run(input) {
    const text = input.toString()
    for (const read of [readHint, readReplayHint]) {
      try {
        read(text)
      } catch (error) {
        if (!(error instanceof Error && NO_HINT.test(error.message))) throw error
        hold(text.length < 8 || !error.message.includes(text), 'a text in an error')
      }
    }
    messagesIn(text)
  },
}

export const WEBHOOK_TARGETS: readonly Target[] = [signatureTarget(SEEDS), authenticCalls, events, messages]
