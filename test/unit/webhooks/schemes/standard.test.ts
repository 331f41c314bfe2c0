import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { providerOf } from '../../../../lib/webhooks/providers/index.ts'
import { standardWebhooks } from '../../../../lib/webhooks/schemes/standard.ts'
import { type VerifyResult, verify } from '../../../../lib/webhooks/verify.ts'
import { readingOf, signedCall } from '../../../support/signed-call.ts'

const ofWebhook = standardWebhooks('webhook')
const HEADERS = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1760000000', 'webhook-signature': 'v1,AAAA' }

describe('Standard Webhooks', () => {
  it('may have several signatures, of which those of other versions do not count', () => {
    const headers = { ...HEADERS, 'webhook-signature': 'v1a,AAAA v1,BBBB v2,AAAA v1,?? v1,CCCC' }
    expect(readingOf(ofWebhook, signedCall(headers))?.signatures).toEqual(['041041', '082082'])
  })

  it('may have a comma after each signature, as Supabase writes several', () => {
    const signaturesOf = (list: string) =>
      readingOf(ofWebhook, signedCall({ ...HEADERS, 'webhook-signature': list }))?.signatures
    expect(signaturesOf('v1,BBBB, v1,CCCC')).toEqual(['041041', '082082'])
    expect(signaturesOf('v1,BBBB,, v1,CC,CC')).toBeUndefined()
  })

  it('H17 verifies at most eight signatures of a version', () => {
    const headers = { ...HEADERS, 'webhook-signature': `${'v1a,AAAA '.repeat(500)}v1,BBBB` }
    const { signatures, others } = ofWebhook.read(signedCall(headers)) ?? {}
    expect(signatures).toHaveLength(1)
    expect(others?.map((other) => other.signatures.length)).toEqual([8])
  })
})

describe('the kind of a secret', () => {
  const AT = 1_760_000_000
  const BODY = '{"type":"a"}'
  const SIGNED = `msg_1.${AT}.${BODY}`
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const publicBytes = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)
  const WHPK = `whpk_${publicBytes.toString('base64')}`
  const WHSEC = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

  const symmetric = (key: Buffer) => createHmac('sha256', key).update(SIGNED).digest('base64')
  const V1 = symmetric(Buffer.alloc(32, 7))
  const V1A = sign(null, Buffer.from(SIGNED), privateKey).toString('base64')
  const OTHER_V1A = sign(null, Buffer.from(SIGNED), generateKeyPairSync('ed25519').privateKey).toString('base64')

  function verdictOf(list: string, secrets: readonly string[], name = 'standard-webhooks'): VerifyResult {
    const prefix = name === 'svix' ? 'svix' : 'webhook'
    const headers = { [`${prefix}-id`]: 'msg_1', [`${prefix}-timestamp`]: String(AT), [`${prefix}-signature`]: list }
    return verify(signedCall(headers, BODY), {
      scheme: providerOf(name).scheme,
      secrets: secrets.map((value) => ({ value })),
      now: new Date(AT * 1000),
    })
  }

  const judged = (...asked: Parameters<typeof verdictOf>) => {
    const verdict = verdictOf(...asked)
    return verdict.ok ? 'ok' : verdict.reason
  }

  it('may differ between the secrets of one receiver, in any order', () => {
    for (const secrets of [
      [WHPK, WHSEC],
      [WHSEC, WHPK],
    ]) {
      expect([judged(`v1,${V1}`, secrets), judged(`v1a,${V1A}`, secrets)]).toEqual(['ok', 'ok'])
      expect(judged(`v1,${V1A} v1a,${V1}`, secrets)).toBe('wrong-signature')
    }
  })

  it.each([
    ['the bytes of the public key', symmetric(publicBytes)],
    ['the whole text', symmetric(Buffer.from(WHPK))],
    ['its base64 with the prefix, decoded', symmetric(Buffer.from(WHPK, 'base64'))],
  ])('prevents a public key from signing as a shared secret: %s', (_, forged) => {
    expect(judged(`v1,${forged}`, [WHPK])).toBe('unreadable-secret')
    expect(judged(`v1,${forged}`, [WHPK, WHSEC])).toBe('wrong-signature')
    expect(judged(`v1a,${forged}`, [WHPK])).toBe('wrong-signature')
    expect(judged(`v1,${forged} v1a,${OTHER_V1A}`, [WHPK])).toBe('wrong-signature')
  })

  it.each([
    ['a signature of the other kind', WHSEC, `v1a,${V1A}`, 'unreadable-secret'],
    ['a signature under the name of the other kind', WHPK, `v1,${V1A}`, 'unreadable-secret'],
    ['the signature of another key', WHPK, `v1a,${OTHER_V1A}`, 'wrong-signature'],
    ['a secret of neither kind', 'whsk_AAAA', `v1,${V1} v1a,${V1A}`, 'unreadable-secret'],
  ])('accepts nothing else: %s', (_, secret, list, reason) => {
    expect(judged(list, [secret])).toBe(reason)
  })

  it('is a shared secret for GitLab, and a token is never a public key', () => {
    expect(judged(`v1,${V1}`, [WHSEC], 'gitlab')).toBe('ok')
    expect(judged(`v1a,${V1A}`, [WHPK], 'gitlab')).toBe('no-readable-signature')
  })
})
