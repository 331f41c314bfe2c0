import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import type { Version } from '../../../../lib/stomp/codec/frame.ts'
import { encode, frame } from '../../../../lib/stomp/codec/frame.ts'

function written(
  headers: Readonly<Record<string, string | undefined>>,
  version: Version,
  command = 'MESSAGE' as const,
) {
  return Buffer.from(encode(frame(command, headers), version)).toString()
}

describe('a frame on the wire', () => {
  it.each<readonly [Version, string]>([
    ['1.2', 'MESSAGE\na:\\r\\n\\c\\\\ \n\n\0'],
    ['1.1', 'MESSAGE\na: \\n\\c\\\\ \n\n\0'],
  ])('T13 in %s has no line break that its version could not escape', (version, expected) => {
    expect(written({ a: '\r\n:\\\0' }, version)).toBe(expected)
  })

  it('has no escapes in CONNECTED', () => {
    expect(Buffer.from(encode(frame('CONNECTED', { session: 'a:b' }), '1.2')).toString()).toBe(
      'CONNECTED\nsession:a:b\n\n\0',
    )
  })

  it('omits headers without a value', () => {
    expect(written({ a: undefined, b: '' }, '1.2')).toBe('MESSAGE\nb:\n\n\0')
  })

  it('states the length of its body, whatever its headers contain', () => {
    const bytes = encode(frame('MESSAGE', { 'content-length': '1' }, Buffer.from('é\0')), '1.2')
    expect(Buffer.from(bytes).toString()).toBe('MESSAGE\ncontent-length:3\n\né\0\0')
  })
})
