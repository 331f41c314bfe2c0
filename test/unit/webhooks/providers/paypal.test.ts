import { type KeyObject, sign } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { selfSigned } from '../../../support/certificate.ts'
import { START } from '../../../support/fakes/clock.ts'
import { fakeKeyServer } from '../../../support/fakes/key-server.ts'
import { RSA_KEYS } from '../../../support/rsa-keys.ts'
import { signedCall } from '../../../support/signed-call.ts'
import { receiverFor } from '../../../support/webhook-receiver.ts'

describe('with only the id of a webhook, the certificate', () => {
  const DAY = 86_400_000
  const [from, until] = [new Date(START.getTime() - DAY), new Date(START.getTime() + DAY)]
  const live = selfSigned('messageverificationcerts.paypal.com', from, until, RSA_KEYS[0])
  const sandbox = selfSigned('messageverificationcerts.sandbox.paypal.com', from, until, RSA_KEYS[1])
  const foreign = selfSigned('messageverificationcerts.paypal.com.evil.example', from, until, RSA_KEYS[1])
  const over = selfSigned('messageverificationcerts.paypal.com', from, new Date(START.getTime() - 1000), RSA_KEYS[0])
  const URL_OF_LIVE = 'https://api.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-1d93a270'
  const body = '{"id":"WH-2","event_type":"PAYMENT.SALE.COMPLETED"}'

  function signedWith(key: KeyObject, url: string | undefined, webhookId = 'WH-1') {
    const signature = sign('sha256', Buffer.from(`id|${START.toISOString()}|${webhookId}|${crc32(body)}`), key)
    const headers = {
      'paypal-transmission-sig': signature.toString('base64'),
      'paypal-transmission-id': 'id',
      'paypal-transmission-time': START.toISOString(),
      'paypal-auth-algo': 'SHA256withRSA',
      'paypal-cert-url': url,
    }
    return signedCall(headers, body, { url: 'https://hooks.example.com/webhooks/paypal' })
  }

  function setUp(answer: string | number | Error = live.certificate) {
    const server = fakeKeyServer(() => answer)
    return { server, receiver: receiverFor('paypal', { secrets: ['WH-1'], server }) }
  }

  it.each([
    ['api.paypal.com', live],
    ['api-m.paypal.com', live],
    ['api.sandbox.paypal.com', sandbox],
    ['api-m.sandbox.paypal.com', sandbox],
  ])('is fetched once from %s', async (host, { certificate, privateKey }) => {
    const url = URL_OF_LIVE.replace('api.paypal.com', host)
    const { receiver, server } = setUp(certificate)
    const call = signedWith(privateKey, url)
    expect([await receiver.receive(call), await receiver.receive(call)]).toEqual(['stored', 'duplicate'])
    expect(server.asked).toEqual([{ url }])
    expect(receiver.events()).toMatchObject([{ proof: { level: 'checksum', key: 'paypal#1' } }])
  })

  it.each([
    ['another key', signedWith(foreign.privateKey, URL_OF_LIVE), live.certificate],
    ['another webhook', signedWith(live.privateKey, URL_OF_LIVE, 'WH-3'), live.certificate],
    ['a certificate of another owner', signedWith(foreign.privateKey, URL_OF_LIVE), foreign.certificate],
    ['an expired certificate', signedWith(over.privateKey, URL_OF_LIVE), over.certificate],
    ['a missing certificate', signedWith(live.privateKey, URL_OF_LIVE), 404],
  ])('does not validate a call with %s', async (_, call, answer) => {
    expect(await setUp(answer).receiver.answer(call)).toBe('SIGNATURE_INVALID')
  })

  it.each<[string, string | number | Error]>([['down', new Error('connect ECONNREFUSED')]])(
    'can be requested later if PayPal is %s',
    async (_, answer) => {
      expect(await setUp(answer).receiver.answer(signedWith(live.privateKey, URL_OF_LIVE))).toBe('UNAVAILABLE')
    },
  )

  it.each([
    undefined,
    'https://api.paypal.com.evil.example/v1/notifications/certs/CERT-1',
    'https://evil@api.paypal.com/v1/notifications/certs/CERT-1',
    'http://api.paypal.com/v1/notifications/certs/CERT-1',
    'https://api.paypal.com:444/v1/notifications/certs/CERT-1',
    'https://api.paypal.com\\@evil.example/v1/notifications/certs/CERT-1',
    'https://api.paypal.com/v1/notifications/certs/../../oauth2/token',
    'https://api.paypal.com/v1/notifications/certs/CERT-1?a=b',
    'https://api.paypal.com/v1/notifications/certs/',
    'https://api.paypal.com//v1/notifications/certs/CERT-1',
  ])('W23 is not fetched from %j', async (url) => {
    const { receiver, server } = setUp()
    expect(await receiver.answer(signedWith(live.privateKey, url))).toBe('SIGNATURE_INVALID')
    expect(server.asked).toEqual([])
    expect(receiver.log.of('audit')).toMatchObject([{ reason: 'unknown-key' }])
  })
})
