import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { fail, invalid, unavailable } from '../../../lib/errors.ts'
import { malformed, ProtocolError } from '../../../lib/stomp/codec/frame.ts'
import { refusalOf } from '../../../lib/stomp/refusal.ts'
import { START } from '../../support/fakes/clock.ts'

const TEXT = 'Validation failed for request parameters'

const refused = (thrown: unknown) => {
  const { frame, closeCode } = refusalOf(thrown, { now: START, receipt: undefined })
  const { status } = JSON.parse(Buffer.from(frame.body).toString())
  return { status, closeCode, version: frame.headers.get('version') }
}

it.each([
  ['a violated rule', malformed('x'), 400, 1002, undefined],
  ['an unsupported version', new ProtocolError('version', 'x'), 400, 1002, '1.1,1.2'],
  ['any other refusal', fail('AUTHENTICATION_REQUIRED'), 401, 1008, undefined],
  ['an outage', unavailable(new Error('down')), 503, 1013, undefined],
  ['an internal error', new Error('bug'), 500, 1011, undefined],
])('%s ends a session with its status and close code', (_, thrown, status, closeCode, version) => {
  expect(refused(thrown)).toMatchObject({ status, closeCode, version })
})

describe('the message of an ERROR, and the reason of the close', () => {
  const toldBy = (thrown: unknown) => {
    const { frame, reason } = refusalOf(thrown, { now: START, receipt: undefined })
    return { message: frame.headers.get('message'), reason, details: JSON.parse(Buffer.from(frame.body).toString()) }
  }

  it.each([
    ['the violated rule', malformed('ack must be auto'), 'frame: ack must be auto'],
    [
      'the first of several',
      invalid([
        { path: ['a'], message: 'is required' },
        { path: ['b'], message: 'is required' },
      ]),
      'a: is required',
    ],
    ['one line', malformed('one\r\ntwo'), 'frame: one two'],
    ['the text of any other error', fail('PAYLOAD_TOO_LARGE'), 'Payload too large'],
    ['the text of an error without a rule', fail('VALIDATION_FAILED', { validationErrors: [] }), TEXT],
  ])('is %s', (_, thrown, text) => {
    expect(toldBy(thrown)).toMatchObject({ message: text, reason: text })
  })

  it('of the body stays that of the error format', () => {
    expect(toldBy(malformed('x')).details).toMatchObject({ message: TEXT })
  })

  it('is cut between two characters if a close frame is too short for it', () => {
    const { message, reason } = toldBy(malformed(`${'é'.repeat(60)}😀😀`))
    expect(message).toBe(`frame: ${'é'.repeat(60)}😀😀`)
    expect(reason).toBe(`frame: ${'é'.repeat(58)}`)
    expect(toldBy(malformed(`${'a'.repeat(113)}😀`)).reason).toBe(`frame: ${'a'.repeat(113)}`)
    expect(toldBy(malformed('a'.repeat(116))).reason).toBe(`frame: ${'a'.repeat(116)}`)
  })
})
