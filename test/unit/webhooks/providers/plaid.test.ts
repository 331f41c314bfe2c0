import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { provider } from '../../../../lib/webhooks/providers/plaid.ts'
import { START } from '../../../support/fakes/clock.ts'
import { fakeKeyServer } from '../../../support/fakes/key-server.ts'
import { readingOf, signedCall } from '../../../support/signed-call.ts'
import { receiverFor } from '../../../support/webhook-receiver.ts'

describe('Plaid', () => {
  const BODY = '{"webhook_type":"ITEM"}'
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const HEADER = { alg: 'ES256', kid: 'k', typ: 'JWT' }
  const CLAIMS = { iat: 1_760_000_000, request_body_sha256: createHash('sha256').update(BODY).digest('hex') }
  const read = (token: string, body = BODY) =>
    readingOf(provider.scheme, signedCall({ 'plaid-verification': token }, body))

  it.each([
    ['no time', `${part(HEADER)}.${part({ ...CLAIMS, iat: undefined })}.AAAA`],
    ['a time as text', `${part(HEADER)}.${part({ ...CLAIMS, iat: '1760000000' })}.AAAA`],
    ['the algorithm none', `${part({ ...HEADER, alg: 'none' })}.${part(CLAIMS)}.AAAA`],
    ['a symmetric algorithm', `${part({ ...HEADER, alg: 'HS256' })}.${part(CLAIMS)}.AAAA`],
    ['a critical header', `${part({ ...HEADER, crit: ['b64'] })}.${part(CLAIMS)}.AAAA`],
    ['four parts', `${part(HEADER)}.${part(CLAIMS)}.AAAA.AAAA`],
    ['parts that are not objects', `${part([])}.${part(1)}.AAAA`],
    ['padding', `${part(HEADER)}.${part(CLAIMS)}.AAA=`],
    ['parts that are not JSON', 'AAAA.AAAA.AAAA'],
  ])('proves nothing with %s', (_, token) => {
    expect(read(token)).toBeUndefined()
  })
})

describe('with the credentials of a client, the key of Plaid', () => {
  const BODY = '{"webhook_type":"ITEM","webhook_code":"ERROR"}'
  const SECONDS = START.getTime() / 1000
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = { ...publicKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'k-1', created_at: 1 }
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

  function signedFor(kid: unknown) {
    const claims = { iat: SECONDS, request_body_sha256: createHash('sha256').update(BODY).digest('hex') }
    const text = `${part({ alg: 'ES256', kid, typ: 'JWT' })}.${part(claims)}`
    const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    const headers = { 'plaid-verification': `${text}.${signature.toString('base64url')}` }
    return signedCall(headers, BODY, { url: 'https://hooks.example.com/webhooks/plaid' })
  }

  function setUp(key: object | string | number | Error = jwk, environment = 'sandbox') {
    const isKey = typeof key === 'object' && !(key instanceof Error)
    const server = fakeKeyServer(() => (isKey ? JSON.stringify({ key, request_id: 'r' }) : key))
    return { server, receiver: receiverFor('plaid', { secrets: [`client1:secret1@${environment}`], server }) }
  }

  it.each(['sandbox', 'production'])('is fetched once, by its id, of %s', async (environment) => {
    const { receiver, server } = setUp({ ...jwk, expired_at: null }, environment)
    const outcomes = [await receiver.receive(signedFor('k-1')), await receiver.receive(signedFor('k-1'))]
    expect(outcomes).toEqual(['stored', 'duplicate'])
    const body = JSON.stringify({ client_id: 'client1', secret: 'secret1', key_id: 'k-1' })
    expect(server.asked).toEqual([{ url: `https://${environment}.plaid.com/webhook_verification_key/get`, body }])
  })

  it.each([
    ['over', { ...jwk, expired_at: SECONDS - 1 }, 'SIGNATURE_INVALID'],
    ['over later', { ...jwk, expired_at: SECONDS + 1 }, 200],
    ['different from the requested one', { ...jwk, kid: 'k-2' }, 'SIGNATURE_INVALID'],
    ['no key', {}, 'UNAVAILABLE'],
    [
      'on another curve',
      { ...generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' }), kid: 'k-1' },
      'SIGNATURE_INVALID',
    ],
  ])('may be %s', async (_, key, answer) => {
    expect(await setUp(key).receiver.answer(signedFor('k-1'))).toBe(answer)
  })

  it('is refused if Plaid does not know it, and requested again for any other error', async () => {
    const code = (error_code: string) => Buffer.from(JSON.stringify({ error_type: 'INVALID_INPUT', error_code }))
    const answering = (error_code: string) =>
      receiverFor('plaid', {
        secrets: ['client1:secret1@sandbox'],
        server: { ask: async () => ({ status: 400, body: code(error_code) }) },
      })
    expect(await answering('INVALID_WEBHOOK_VERIFICATION_KEY_ID').answer(signedFor('k-1'))).toBe('SIGNATURE_INVALID')
    expect(await answering('INVALID_API_KEYS').answer(signedFor('k-1'))).toBe('UNAVAILABLE')
  })

  it.each([undefined, '', 'a'.repeat(129), 'k 1', 'k\n1', 'k\u00e9', 7, ['k-1'], { a: 1 }])(
    'is not requested by the id %j',
    async (kid) => {
      const { receiver, server } = setUp()
      const answer = await receiver.answer(signedFor(kid))
      expect([answer, server.asked.length]).toEqual(kid === 7 ? ['SIGNATURE_INVALID', 1] : ['SIGNATURE_INVALID', 0])
    },
  )

  it('is in no log line, and neither are the credentials', async () => {
    const { receiver } = setUp(new Error('connect ECONNREFUSED'))
    expect(await receiver.answer(signedFor('k-1'))).toBe('UNAVAILABLE')
    const lines = JSON.stringify(receiver.log.entries)
    expect(lines).toContain('keys cannot be fetched')
    expect(lines).not.toMatch(/secret1|client1|k-1/)
  })
})
