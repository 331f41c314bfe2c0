import { expect, it } from 'vitest'
import { handlerEvent } from '../../../lib/deliver/handler-try.ts'
import { testContext, testEvent } from '../../../lib/testing.ts'

const bytes = Uint8Array.of(0xff, 0)

it.each<
  [
    string,
    Parameters<typeof testEvent>[0],
    { readonly text?: string; readonly json?: unknown; readonly body?: Uint8Array },
  ]
>([
  ['json', { json: { id: 1 } }, { text: '{"id":1}', json: { id: 1 }, body: Buffer.from('{"id":1}') }],
  ['text', { text: '[1]' }, { text: '[1]', json: [1], body: Buffer.from('[1]') }],
  ['body', { body: Buffer.from('ä') }, { text: 'ä' }],
  ['nothing', {}, { text: '{}', json: {} }],
])('testEvent makes the body, the text and the JSON of %s', (_, given, expected) => {
  expect(testEvent(given)).toMatchObject(expected)
})

it('testEvent makes an event with every member of a delivered one, and its errors', () => {
  const { body, text: _text, json: _json, ...event } = testEvent({ source: 'shop', attempt: 2, json: {} })
  expect(testEvent({ source: 'shop', attempt: 2 })).toEqual(handlerEvent({ event, body }))
  expect(event).toMatchObject({ source: 'shop', eventId: 'event-1', type: 'test', receivedAt: new Date(0), attempt: 2 })
  expect(() => testEvent({ body: bytes }).text).toThrow('the body is not UTF-8')
  expect(() => testEvent({ text: 'no JSON' }).json).toThrow(SyntaxError)
})

it('testContext keeps what is logged, and has only the secrets that it is given', () => {
  const { signal } = new AbortController()
  const context = testContext({ secrets: { key: 's' }, idempotencyKey: 'gh_2', signal })
  context.log.warn('slow', { seconds: 3 })
  expect(context.lines).toEqual([{ level: 'warn', message: 'slow', seconds: 3 }])
  expect([context.secret('key'), context.idempotencyKey, context.signal]).toEqual(['s', 'gh_2', signal])
  expect(() => context.secret('other')).toThrow("no secret other: testContext({ secrets: { 'other': '…' } }) gives one")
})
