import { describe, expect, it } from 'vitest'
import { frame, headerOf } from '../../../lib/stomp/codec/frame.ts'
import { passedOn } from '../../../lib/stomp/commands.ts'

describe('the headers of a SEND that receivers see', () => {
  it.each(['content-type', 'x-trace', 'priority', 'a.b-c_1', 'x'.repeat(64)])('%s is passed on', (name) => {
    expect(passedOn(frame('SEND', { [name]: 'v' }))).toEqual({ [name]: 'v' })
  })

  it.each(['authorization', 'content-length', 'receipt', 'transaction'])('%s is not, in any case', (name) => {
    expect(passedOn(frame('SEND', { [name]: 'v', [name.toUpperCase()]: 'v' }))).toEqual({})
  })

  it.each(['', 'a b', ' a', 'a:', 'ä', 'a\n', 'x'.repeat(65)])('%j cannot be passed on', (name) => {
    expect(passedOn(frame('SEND', { [name]: 'v' }))).toEqual({})
  })
})

it('a missing required header is named', () => {
  expect(headerOf(frame('SEND', { destination: '/a' }), 'destination')).toBe('/a')
  expect(() => headerOf(frame('SEND', {}), 'destination')).toThrow('SEND must have the header destination')
})
