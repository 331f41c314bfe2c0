import { describe, expect, it } from 'vitest'
import { provider } from '../../../../lib/webhooks/providers/gitlab.ts'
import { verify } from '../../../../lib/webhooks/verify.ts'
import { signedCall } from '../../../support/signed-call.ts'

const HEADERS = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1760000000', 'webhook-signature': 'v1,AAAA' }

describe('GitLab', () => {
  const judged = (headers: Record<string, string>, value = 'whsec_YQ==') =>
    verify(signedCall(headers, '{}'), {
      scheme: provider.scheme,
      secrets: [{ value }],
      now: new Date(1_760_000_000_000),
    })

  it('is verified by its token', () => {
    expect(judged({ 'x-gitlab-token': 'whsec_YQ==' }).ok).toBe(true)
    expect(judged({ 'x-gitlab-token': 'a token', 'webhook-id': 'msg_1' }, 'a token').ok).toBe(true)
  })

  it.each(['', 'a', 'a token ', 'A token', 'a tokena token'])('is not verified by another token: "%s"', (token) => {
    expect(judged({ 'x-gitlab-token': token }, 'a token').ok).toBe(false)
  })

  it('is not verified by its token with an invalid signature', () => {
    expect(judged({ ...HEADERS, 'x-gitlab-token': 'whsec_YQ==' })).toMatchObject({ reason: 'wrong-signature' })
  })

  it('binds nothing of the call to a token, and the body to a signature', () => {
    const covers = (headers: Record<string, string>) => provider.scheme.read(signedCall(headers, '{}'))?.covers
    expect([covers({ 'x-gitlab-token': 'a token' }), covers(HEADERS)]).toEqual(['nothing', undefined])
  })

  it('signs with no secret that is only a token', () => {
    expect(judged(HEADERS, 'a token')).toMatchObject({ reason: 'unreadable-secret' })
  })
})
