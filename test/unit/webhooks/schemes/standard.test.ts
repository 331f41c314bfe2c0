import { describe, expect, it } from 'vitest'
import { standardWebhooks } from '../../../../lib/webhooks/schemes/standard.ts'
import { readingOf, signedCall } from '../../../support/signed-call.ts'

const ofWebhook = standardWebhooks('webhook')
const ofSvix = standardWebhooks('svix')
const HEADERS = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1760000000', 'webhook-signature': 'v1,AAAA' }

describe('Standard Webhooks', () => {
  it('signs id, time and body', () => {
    expect(readingOf(ofWebhook, signedCall(HEADERS, '{}'))).toEqual({
      signatures: ['000000'],
      signedAt: 1_760_000_000_000,
      signed: 'msg_1.1760000000.{}',
    })
  })

  it('may send several signatures, of which those of other versions do not count', () => {
    const headers = { ...HEADERS, 'webhook-signature': 'v1a,AAAA v1,BBBB v2,AAAA v1,?? v1,CCCC' }
    expect(readingOf(ofWebhook, signedCall(headers))?.signatures).toEqual(['041041', '082082'])
  })

  it.each([
    ['no id', { 'webhook-id': undefined }],
    ['an empty id', { 'webhook-id': '' }],
    ['no time', { 'webhook-timestamp': undefined }],
    ['a time in words', { 'webhook-timestamp': 'now' }],
    ['no signature', { 'webhook-signature': undefined }],
    ['signatures of other versions alone', { 'webhook-signature': 'v1a,AAAA v2,AAAA' }],
  ])('is not readable with %s', (_, changes) => {
    expect(readingOf(ofWebhook, signedCall({ ...HEADERS, ...changes }))).toBeUndefined()
  })

  it('has other names with Svix', () => {
    const headers = { 'svix-id': 'msg_1', 'svix-timestamp': '1760000000', 'svix-signature': 'v1,AAAA' }
    expect(readingOf(ofSvix, signedCall(headers, '{}'))?.signed).toBe('msg_1.1760000000.{}')
    expect(readingOf(ofSvix, signedCall(HEADERS))).toBeUndefined()
  })
})
