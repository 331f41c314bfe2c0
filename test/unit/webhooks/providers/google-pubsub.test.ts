import { sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { START } from '../../../support/fakes/clock.ts'
import { fakeKeyServer } from '../../../support/fakes/key-server.ts'
import { RSA_KEYS } from '../../../support/rsa-keys.ts'
import { signedCall } from '../../../support/signed-call.ts'
import { receiverFor } from '../../../support/webhook-receiver.ts'

const KEYS = 'https://www.googleapis.com/oauth2/v3/certs'
const EMAIL = 'push@gatehouse.iam.gserviceaccount.com'
const AUDIENCE = 'https://hooks.example.com/webhooks/google-pubsub'
const SECONDS = START.getTime() / 1000

const pairs = RSA_KEYS.map((pair, index) => ({ kid: `k-${index + 1}`, ...pair }))
const [first, second] = pairs
const keySet = (ids = ['k-1', 'k-2']) =>
  JSON.stringify({
    keys: pairs.flatMap(({ kid, publicKey }) =>
      ids.includes(kid) ? [{ ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig', e: 'AQAB' }] : [],
    ),
  })

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

interface Changes {
  readonly header?: object
  readonly claims?: object
  readonly message?: object
  readonly pair?: typeof first
}

function push({ header = {}, claims = {}, message = { messageId: 'm-1' }, pair = first }: Changes = {}) {
  if (!pair) throw new Error('no key')
  const all = { iss: 'https://accounts.google.com', aud: AUDIENCE, email: EMAIL, email_verified: true, ...claims }
  const text = `${part({ alg: 'RS256', kid: pair.kid, ...header })}.${part({ iat: SECONDS, exp: SECONDS + 3600, ...all })}`
  const token = `${text}.${sign('sha256', Buffer.from(text), pair.privateKey).toString('base64url')}`
  return signedCall({ authorization: `Bearer ${token}` }, JSON.stringify({ message, subscription: 's' }), {
    url: AUDIENCE,
  })
}

function setUp(answer: () => string | number | Error = keySet, secrets = [`${EMAIL} ${AUDIENCE}`]) {
  const server = fakeKeyServer(() => answer())
  return { server, receiver: receiverFor('google-pubsub', { secrets, server }) }
}

describe('a push of Pub/Sub', () => {
  it('is verified with the keys of Google, which are fetched once', async () => {
    const { receiver, server } = setUp()
    expect(await receiver.receive(push())).toBe('stored')
    const other = push({ message: { message_id: 'm-2' }, ...(second && { pair: second }) })
    expect(await receiver.receive(other)).toBe('stored')
    expect(server.asked).toEqual([{ url: KEYS }])
    const proof = { level: 'token', key: 'google-pubsub#1', signedAt: undefined }
    expect(receiver.events()).toMatchObject([
      { eventId: 'm-1', proof },
      { eventId: 'm-2', proof },
    ])
  })

  it('is verified for each of several senders', async () => {
    const { receiver, server } = setUp(keySet, ['other@gatehouse.iam.gserviceaccount.com x', `${EMAIL} ${AUDIENCE}`])
    expect(await receiver.receive(push())).toBe('stored')
    expect(receiver.events()).toMatchObject([{ proof: { key: 'google-pubsub#2' } }])
    expect(server.asked).toHaveLength(1)
  })

  it.each<[string, Changes]>([
    ['for several', { claims: { aud: [AUDIENCE] } }],
    [
      'with an audience at another border',
      { claims: { email: 'push@gatehouse.iam', aud: `gserviceaccount.com ${AUDIENCE}` } },
    ],
    ['of an e-mail that is verified as a text', { claims: { email_verified: 'true' } }],
    ['without an end', { claims: { exp: undefined } }],
    ['without a beginning', { claims: { iat: undefined } }],
    ['that ends before it begins', { claims: { iat: SECONDS + 100, exp: SECONDS + 50 } }],
    ['for more than a day', { claims: { exp: SECONDS + 86_401 } }],
    ['with another algorithm', { header: { alg: 'RS512' } }],
    ['with the key as a shared secret', { header: { alg: 'HS256' } }],
    ['with a critical header', { header: { crit: ['b64'] } }],
    ['with the id of another key', { header: { kid: 'k-2' } }],
    ['with an unknown id', { header: { kid: 'k-9' } }],
    ['without the id of a key', { header: { kid: undefined } }],
  ])('is refused with a token %s', async (_, changes) => {
    expect(await setUp().receiver.answer(push(changes))).toBe('SIGNATURE_INVALID')
  })

  it.each([
    ['ended 300 s ago', { iat: SECONDS - 3900, exp: SECONDS - 300 }, 200],
    ['ended 301 s ago', { iat: SECONDS - 3901, exp: SECONDS - 301 }, 'TIMESTAMP_OUTSIDE_WINDOW'],
    ['begins in 300 s', { iat: SECONDS + 300, exp: SECONDS + 3900 }, 200],
    ['begins in 301 s', { iat: SECONDS + 301, exp: SECONDS + 3901 }, 'TIMESTAMP_OUTSIDE_WINDOW'],
  ])('with a token that %s', async (_, claims, answer) => {
    expect(await setUp().receiver.answer(push({ claims }))).toBe(answer)
  })

  it.each<[string, string | number | Error]>([
    ['sends garbage', '<html>'],
    ['sends no keys', '{"keys":[]}'],
    ['sends other keys', '{"keys":[{"kid":"k-1","kty":"EC"},{"kid":"k-1","kty":"RSA","use":"enc"},null,1]}'],
  ])('can be sent again while Google %s', async (_, answer) => {
    expect(await setUp(() => answer).receiver.answer(push())).toBe('UNAVAILABLE')
  })
})
