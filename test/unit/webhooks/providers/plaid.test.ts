import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { provider } from '../../../../lib/webhooks/providers/plaid.ts'
import { readingOf, signedCall } from '../../../support/signed-call.ts'

describe('Plaid', () => {
  const BODY = '{"webhook_type":"ITEM"}'
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const HEADER = { alg: 'ES256', kid: 'k', typ: 'JWT' }
  const CLAIMS = { iat: 1_760_000_000, request_body_sha256: createHash('sha256').update(BODY).digest('hex') }
  const read = (token: string, body = BODY) =>
    readingOf(provider.scheme, signedCall({ 'plaid-verification': token }, body))

  it('signs a hash of the body and a time', () => {
    expect(read(`${part(HEADER)}.${part(CLAIMS)}.AAAA`)).toEqual({
      signatures: ['000000'],
      signedAt: 1_760_000_000_000,
      signed: `${part(HEADER)}.${part(CLAIMS)}`,
    })
  })

  it.each([
    ['the hash of another body', { ...CLAIMS, request_body_sha256: '00' }],
    ['no hash', { iat: CLAIMS.iat }],
  ])('signs nothing of a body with %s', (_, claims) => {
    expect(read(`${part(HEADER)}.${part(claims)}.AAAA`)).toBeUndefined()
  })

  it.each([
    ['no time', `${part(HEADER)}.${part({ ...CLAIMS, iat: undefined })}.AAAA`],
    ['a time in a text', `${part(HEADER)}.${part({ ...CLAIMS, iat: '1760000000' })}.AAAA`],
    ['the algorithm none', `${part({ ...HEADER, alg: 'none' })}.${part(CLAIMS)}.AAAA`],
    ['a symmetric algorithm', `${part({ ...HEADER, alg: 'HS256' })}.${part(CLAIMS)}.AAAA`],
    ['a critical header', `${part({ ...HEADER, crit: ['b64'] })}.${part(CLAIMS)}.AAAA`],
    ['no signature', `${part(HEADER)}.${part(CLAIMS)}.`],
    ['two parts', `${part(HEADER)}.${part(CLAIMS)}`],
    ['four parts', `${part(HEADER)}.${part(CLAIMS)}.AAAA.AAAA`],
    ['padding', `${part(HEADER)}.${part(CLAIMS)}.AAA=`],
    ['parts that are no objects', `${part([])}.${part(1)}.AAAA`],
    ['parts that are no JSON', 'AAAA.AAAA.AAAA'],
    ['nothing', ''],
  ])('proves nothing with %s', (_, token) => {
    expect(read(token)).toBeUndefined()
  })
})
