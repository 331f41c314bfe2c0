import { describe, expect, it } from 'vitest'
import { type Command, frame } from '../../../lib/stomp/codec/frame.ts'
import { readConnect } from '../../../lib/stomp/connect.ts'

const read = (headers: Record<string, string>, command: Command = 'CONNECT', own = 10_000) =>
  readConnect(frame(command, { 'accept-version': '1.2', ...headers }), own)

const TOKEN = { authorization: 'Bearer a.b.c' }

describe('the first frame of a session', () => {
  it.each<[string, Record<string, string>, string]>([
    ['Bearer in any case', { AUTHORIZATION: 'bEARER a.b.c' }, 'a.b.c'],
    ['Bearer without a token', { authorization: 'Bearer', passcode: 'p' }, ''],
    ['a passcode between blanks', { passcode: ' \ta.b.c \t' }, 'a.b.c'],
    ['Bearer, with any passcode', { ...TOKEN, passcode: 'd.e.f' }, 'a.b.c'],
  ])('contains its token with %s', (_, headers, token) => {
    expect(read(headers).credentials).toEqual({ token })
  })

  it.each<[string, Record<string, string>, Command]>([
    ['nothing', {}, 'CONNECT'],
    ['another scheme and a passcode', { authorization: 'Basic x', passcode: 'a.b.c' }, 'CONNECT'],
    ['a token in another frame, without a version', { ...TOKEN, 'accept-version': '9' }, 'SUBSCRIBE'],
  ])('is refused with %s', (_, headers, command) => {
    expect(() => read(headers, command)).toThrow(expect.objectContaining({ code: 'AUTHENTICATION_REQUIRED' }))
  })

  it.each<[string, Record<string, string>, string]>([
    ['in its usual spelling', { authorization: 'Ticket t' }, 't'],
    ['in any case', { AUTHORIZATION: 'tICKET  t' }, 't'],
    ['without a text', { authorization: 'Ticket' }, ''],
  ])('contains a ticket: %s', (_, headers, ticket) => {
    expect(read(headers).credentials).toEqual({ ticket })
  })

  it.each<[string, Record<string, string>]>([
    ['in its usual spelling', { 'x-api-key': 'ghk_x' }],
    ['in any case', { 'X-Api-Key': 'ghk_x' }],
  ])('contains an API key: %s', (_, headers) => {
    expect(read(headers).credentials).toEqual({ key: 'ghk_x' })
  })

  it.each<[string, Record<string, string>]>([
    ['a token and a key', { ...TOKEN, 'x-api-key': 'ghk_x' }],
    ['a passcode and a key', { passcode: 'p', 'x-api-key': 'ghk_x' }],
    ['two keys', { 'x-api-key': 'ghk_x', 'X-Api-Key': 'ghk_y' }],
  ])('K17 is refused with several: %s', (_, headers) => {
    expect(() => read(headers)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  })

  it('may be STOMP', () => expect(read(TOKEN, 'STOMP').credentials).toEqual({ token: 'a.b.c' }))

  it('must name a supported version, before its token is checked', () => {
    expect(() => read({ 'accept-version': '2.0' })).toThrow('Supported protocol versions are 1.1 1.2')
  })

  it.each([
    [undefined, 10_000, { sends: 0, expects: 0 }],
    ['0,0', 10_000, { sends: 0, expects: 0 }],
    ['5000,20000', 10_000, { sends: 20_000, expects: 10_000 }],
    ['0,10000', 10_000, { sends: 10_000, expects: 0 }],
    ['5000,20000', 0, { sends: 0, expects: 0 }],
  ])('with the heart-beat %s and our %i agrees on %j', (heartBeat, own, agreed) => {
    const headers = heartBeat === undefined ? TOKEN : { ...TOKEN, 'heart-beat': heartBeat }
    expect(read(headers, 'CONNECT', own).heartBeat).toEqual(agreed)
  })

  it.each(['', '1', '1,2,3', '-1,0', '1, 2', '1234567890,0', '0,1234567890'])(
    'is refused with the heart-beat %j',
    (heartBeat) => {
      expect(() => read({ ...TOKEN, 'heart-beat': heartBeat })).toThrow('heart-beat must be two whole numbers')
    },
  )
})
