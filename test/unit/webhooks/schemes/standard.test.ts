import { describe, expect, it } from 'vitest'
import { gitlab, standardWebhooks, svix } from '../../../../lib/webhooks/schemes/standard.ts'
import { verify } from '../../../../lib/webhooks/verify.ts'
import { readingOf, signedCall } from '../../../support/signed-call.ts'

const HEADERS = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1760000000', 'webhook-signature': 'v1,AAAA' }

describe('Standard Webhooks', () => {
  it('signs id, time and body', () => {
    expect(readingOf(standardWebhooks, signedCall(HEADERS, '{}'))).toEqual({
      signatures: ['000000'],
      signedAt: 1_760_000_000_000,
      signed: 'msg_1.1760000000.{}',
    })
  })

  it('may send several signatures, of which those of other versions do not count', () => {
    const headers = { ...HEADERS, 'webhook-signature': 'v1a,AAAA v1,BBBB v2,AAAA v1,?? v1,CCCC' }
    expect(readingOf(standardWebhooks, signedCall(headers))?.signatures).toEqual(['041041', '082082'])
  })

  it.each([
    ['no id', { 'webhook-id': undefined }],
    ['an empty id', { 'webhook-id': '' }],
    ['no time', { 'webhook-timestamp': undefined }],
    ['a time in words', { 'webhook-timestamp': 'now' }],
    ['no signature', { 'webhook-signature': undefined }],
    ['signatures of other versions alone', { 'webhook-signature': 'v1a,AAAA v2,AAAA' }],
  ])('is not readable with %s', (_, changes) => {
    expect(readingOf(standardWebhooks, signedCall({ ...HEADERS, ...changes }))).toBeUndefined()
  })

  it('has other names with Svix', () => {
    const headers = { 'svix-id': 'msg_1', 'svix-timestamp': '1760000000', 'svix-signature': 'v1,AAAA' }
    expect(readingOf(svix, signedCall(headers, '{}'))?.signed).toBe('msg_1.1760000000.{}')
    expect(readingOf(svix, signedCall(HEADERS))).toBeUndefined()
  })
})

describe('GitLab', () => {
  const judged = (headers: Record<string, string>, value = 'whsec_YQ==') =>
    verify(signedCall(headers, '{}'), { scheme: gitlab, secrets: [{ value }], now: new Date(1_760_000_000_000) })

  it('is known by its token', () => {
    expect(judged({ 'x-gitlab-token': 'whsec_YQ==' }).ok).toBe(true)
    expect(judged({ 'x-gitlab-token': 'a token', 'webhook-id': 'msg_1' }, 'a token').ok).toBe(true)
  })

  it.each(['', 'a', 'a token ', 'A token', 'a tokena token'])('is not known by another token: "%s"', (token) => {
    expect(judged({ 'x-gitlab-token': token }, 'a token').ok).toBe(false)
  })

  it('is not known by its token beside a signature that does not hold', () => {
    expect(judged({ ...HEADERS, 'x-gitlab-token': 'whsec_YQ==' })).toMatchObject({ reason: 'wrong-signature' })
  })

  it('signs with no secret that is a token alone', () => {
    expect(judged(HEADERS, 'a token')).toMatchObject({ reason: 'unreadable-secret' })
  })
})
