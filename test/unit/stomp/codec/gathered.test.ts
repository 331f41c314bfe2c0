import { Buffer } from 'node:buffer'
import { expect, it } from 'vitest'
import { Gathered } from '../../../../lib/stomp/codec/gathered.ts'
import { malformed } from '../../../../lib/stomp/codec/protocol-error.ts'

const tooLarge = () => malformed('too large')

it('a single piece is returned unchanged, up to the limit', () => {
  const gathered = new Gathered()
  for (const piece of [Buffer.from('ab'), Buffer.from('abc')]) {
    expect(gathered.end(piece, 3, tooLarge)).toBe(piece)
  }
  expect(() => gathered.end(Buffer.from('abcd'), 3, tooLarge)).toThrow('too large')
})

it('pieces are joined, up to the limit', () => {
  const gathered = new Gathered()
  gathered.add(Buffer.from('ab'), 4, tooLarge)
  expect(Buffer.from(gathered.end(Buffer.from('cd'), 4, tooLarge)).toString()).toBe('abcd')
  gathered.add(Buffer.from('ab'), 4, tooLarge)
  expect(() => gathered.end(Buffer.from('cde'), 4, tooLarge)).toThrow('too large')
})
