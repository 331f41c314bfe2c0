import { describe, expect, it } from 'vitest'
import { github } from '../../../../lib/webhooks/schemes/github.ts'
import { readingOf, signedCall } from '../../../support/signed-call.ts'

const HEX = 'a1'.repeat(32)

describe('the X-Hub-Signature-256 header', () => {
  it('holds lowercase hexadecimal after sha256=', () => {
    const call = signedCall({ 'x-hub-signature-256': `sha256=${HEX}` }, '{}')
    expect(readingOf(github, call)).toEqual({ signatures: [HEX], signedAt: undefined, signed: '{}' })
  })

  it.each([
    ['nothing', {}],
    ['the legacy header alone', { 'x-hub-signature': `sha1=${HEX.slice(0, 40)}` }],
    ['the legacy header with SHA-256', { 'x-hub-signature': `sha256=${HEX}` }],
    ['an empty text', { 'x-hub-signature-256': '' }],
    ['a prefix alone', { 'x-hub-signature-256': 'sha256=' }],
    ['no prefix', { 'x-hub-signature-256': HEX }],
    ['an upper-case prefix', { 'x-hub-signature-256': `SHA256=${HEX}` }],
    ['the prefix of SHA-1', { 'x-hub-signature-256': `sha1=${HEX}` }],
    ['upper-case hexadecimal', { 'x-hub-signature-256': `sha256=${HEX.toUpperCase()}` }],
    ['63 digits', { 'x-hub-signature-256': `sha256=${HEX.slice(1)}` }],
    ['65 digits', { 'x-hub-signature-256': `sha256=${HEX}a` }],
    ['two signatures', { 'x-hub-signature-256': `sha256=${HEX},sha256=${HEX}` }],
    ['a blank before it', { 'x-hub-signature-256': ` sha256=${HEX}` }],
    ['a newline behind it', { 'x-hub-signature-256': `sha256=${HEX}\n` }],
  ])('is not readable with %s', (_, headers) => {
    expect(readingOf(github, signedCall(headers))).toBeUndefined()
  })
})
