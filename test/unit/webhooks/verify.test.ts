import { Buffer } from 'node:buffer'
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { PROVIDERS } from '../../../lib/webhooks/providers/index.ts'
import { HMAC_SHA256 } from '../../../lib/webhooks/schemes/methods.ts'
import type { Headers } from '../../../lib/webhooks/schemes/scheme.ts'
import { type SharedSecret, verify } from '../../../lib/webhooks/verify.ts'
import { signedCall } from '../../support/signed-call.ts'

const NOW = new Date(1_760_000_000_000)
const SECRET = 'shared secret'
const BODY = Buffer.from('{"a":"é"}')

function hmac(text: string | Buffer, secret = SECRET): string {
  return createHmac('sha256', secret).update(text).digest('hex')
}

function judged(headers: Headers, secrets: readonly SharedSecret[] = [{ value: SECRET }], body = BODY) {
  const verdict = verify(signedCall(headers, body), { scheme: PROVIDERS.generic.scheme, secrets, now: NOW })
  return verdict.ok ? 'ok' : verdict.reason
}

/** Headers with a signature over timestamp and body. */
function timed(offsetSeconds: number): Headers {
  const timestamp = String(1_760_000_000 + offsetSeconds)
  return { 'x-timestamp': timestamp, 'x-signature': hmac(`${timestamp}.${BODY.toString()}`) }
}

describe('the generic scheme', () => {
  it.each(['', 'sha256='])('signs the raw body, with the prefix "%s"', (prefix) => {
    expect(judged({ 'x-signature': `${prefix}${hmac(BODY)}` })).toBe('ok')
  })

  it('signs timestamp, dot and body when a timestamp is sent', () => {
    expect(judged(timed(0))).toBe('ok')
    expect(judged({ ...timed(0), 'x-signature': hmac(BODY) })).toBe('wrong-signature')
    expect(judged({ ...timed(0), 'x-timestamp': undefined })).toBe('wrong-signature')
    expect(judged({ ...timed(0), 'x-timestamp': '1760000001' })).toBe('wrong-signature')
  })

  it.each([
    ['another body', { 'x-signature': hmac(`${BODY.toString()} `) }, 'wrong-signature'],
    ['no signature', {}, 'no-readable-signature'],
    ['a long signature', { 'x-signature': `${hmac(BODY)}00` }, 'wrong-signature'],
  ])('refuses %s', (_, headers, reason) => {
    expect(judged(headers)).toBe(reason)
  })
})

describe('the timestamp', () => {
  it.each([
    [-300, 'ok'],
    [-301, 'too-old'],
    [0, 'ok'],
    [300, 'ok'],
    [301, 'in-the-future'],
    [-600, 'too-old'],
  ])('%i seconds from now is %s', (offset, verdict) => {
    expect(judged(timed(offset))).toBe(verdict)
  })

  it('is checked after the signature', () => {
    expect(judged({ ...timed(-600), 'x-signature': hmac('other') })).toBe('wrong-signature')
  })

  it('uses the tolerance of the configuration instead of its own', () => {
    const options = { scheme: PROVIDERS.generic.scheme, secrets: [{ value: SECRET }], now: NOW, toleranceSeconds: 0.5 }
    expect(verify(signedCall(timed(0), BODY), options)).toMatchObject({ ok: true })
    expect(verify(signedCall(timed(-1), BODY), options)).toEqual({
      ok: false,
      refusal: 'timestamp',
      reason: 'too-old',
      ageSeconds: 1,
    })
  })
})

describe('a late call', () => {
  const received = (offset: number, lateSeconds?: number) => {
    const options = { scheme: PROVIDERS.generic.scheme, secrets: [{ value: SECRET }], now: NOW, lateSeconds }
    const verdict = verify(signedCall(timed(offset), BODY), options)
    return verdict.ok ? (verdict.proven.stale ?? 'in time') : verdict.reason
  }

  it.each([
    [-300, 3600, 'in time'],
    [-301, 3600, true],
    [-3600, 3600, true],
    [-3601, 3600, 'too-old'],
    [-301, 200, 'too-old'],
    [301, 3600, 'in-the-future'],
  ])('%i seconds from now, of a sender that repeats for %i seconds: %s', (offset, lateSeconds, verdict) => {
    expect(received(offset, lateSeconds)).toBe(verdict)
  })
})

describe('the proof of a call', () => {
  const provenWith = (headers: Headers, secrets: readonly SharedSecret[]) => {
    const verdict = verify(signedCall(headers, BODY), { scheme: PROVIDERS.generic.scheme, secrets, now: NOW })
    if (!verdict.ok) throw new Error(verdict.reason)
    const { signed, ...proven } = verdict.proven
    return { ...proven, signed: signed().map(String).join('') }
  }

  it('contains the label of the matching secret, the signed time, and the signed parts', () => {
    const secrets = [
      { value: 'other', label: 'shop#1' },
      { value: SECRET, label: 'shop#2' },
    ]
    expect(provenWith(timed(0), secrets)).toEqual({
      covers: 'body',
      key: 'shop#2',
      signedAt: NOW,
      signed: `1760000000.${BODY}`,
    })
  })

  it('contains no label and no time without them', () => {
    const signed = BODY.toString()
    expect(provenWith({ 'x-signature': hmac(BODY) }, [{ value: SECRET }])).toEqual({ covers: 'body', signed })
  })

  it('has the canonical spelling of the scheme, for any spelling of the signature', () => {
    const claim = {
      method: HMAC_SHA256,
      signatures: [Buffer.from(hmac('other spelling'), 'hex')],
      signed: () => ['one spelling'],
      alsoSigned: () => [['another'], ['other ', 'spelling']],
    }
    const scheme = { ...PROVIDERS.generic.scheme, read: () => claim }
    const verdict = verify(signedCall({}, BODY), { scheme, secrets: [{ value: SECRET }], now: NOW })
    expect(verdict.ok && verdict.proven.signed()).toEqual(['one spelling'])
    const strict = { ...scheme, read: () => ({ ...claim, alsoSigned: () => [] }) }
    expect(verify(signedCall({}, BODY), { scheme: strict, secrets: [{ value: SECRET }], now: NOW }).ok).toBe(false)
  })
})

describe('W33 the secrets', () => {
  const signed = { 'x-signature': hmac(BODY) }
  const second = (offset: number) => new Date(NOW.getTime() + offset * 1000)

  it.each<[string, readonly SharedSecret[], string]>([
    ['none', [], 'no-secret'],
    ['the right one second', [{ value: 'other' }, { value: SECRET }], 'ok'],
    ['valid from now', [{ value: SECRET, notBefore: NOW }], 'ok'],
    ['valid from a second later', [{ value: SECRET, notBefore: second(1) }], 'no-secret'],
    ['valid until now', [{ value: SECRET, notAfter: NOW }], 'ok'],
    ['valid until a second ago', [{ value: SECRET, notAfter: second(-1) }], 'no-secret'],
    ['valid around now', [{ value: SECRET, notBefore: second(-1), notAfter: second(1) }], 'ok'],
    [
      'the right one expired, another one valid',
      [{ value: SECRET, notAfter: second(-1) }, { value: 'other' }],
      'wrong-signature',
    ],
  ])('%s', (_, secrets, verdict) => {
    expect(judged(signed, secrets)).toBe(verdict)
  })
})
