import { describe, expect, it } from 'vitest'
import { versioned } from '../../../../lib/webhooks/schemes/versioned.ts'
import { readingOf, signedCall } from '../../../support/signed-call.ts'

const slack = versioned('x-slack-signature', 'x-slack-request-timestamp')
const HEADERS = { 'x-slack-signature': 'v0=a1', 'x-slack-request-timestamp': '1760000000' }

describe('a signature with its version', () => {
  it('covers version, time and body', () => {
    expect(readingOf(slack, signedCall(HEADERS, '{}'))).toEqual({
      signatures: ['a1'],
      signedAt: 1_760_000_000_000,
      signed: 'v0:1760000000:{}',
    })
  })

  it.each([
    ['another version', { 'x-slack-signature': 'v1=a1' }],
    ['no version', { 'x-slack-signature': 'a1' }],
    ['no signature', { 'x-slack-signature': undefined }],
    ['no time', { 'x-slack-request-timestamp': undefined }],
    ['a time in words', { 'x-slack-request-timestamp': 'now' }],
  ])('is not readable with %s', (_, changes) => {
    expect(readingOf(slack, signedCall({ ...HEADERS, ...changes }))).toBeUndefined()
  })
})
