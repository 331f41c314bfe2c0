import { crc32 } from 'node:zlib'
import { header, money, textIn } from '../find.ts'
import { type Provider, retriesFor } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { readBase64, readInstant } from '../schemes/encoding.ts'
import { RSA_SHA256_NAMED } from '../schemes/methods.ts'
import { certificateIn, type Rotation } from '../schemes/rotation.ts'
import { REFUSALS, type SignatureScheme } from '../schemes/scheme.ts'

/** PayPal retries for three days (the page below, "Delivery"); the extra hour allows for a late retry. */
const HORIZON = 3 * 86_400 + 3600

/** Of live webhooks and of those of the sandbox, on their old hosts and their new ones; nothing is left to be decoded. */
const CERTIFICATE = /^https:\/\/api(?:-m)?(?:\.sandbox)?\.paypal\.com\/v1\/notifications\/certs\/[\w-]{1,128}$/

/** The subjects that PayPal's own library takes (PayPal-Java-SDK, `SSLUtil.validateCertificateChain`). */
const SUBJECTS = ['messageverificationcerts.paypal.com', 'messageverificationcerts.sandbox.paypal.com']

/** The certificate is where the call says; the address is compared with a list before anything is fetched. */
const rotation: Rotation = {
  isName: (secret) => /^[\w-]{1,64}$/.test(secret),
  keyOf({ headers }, webhookId) {
    const url = headers['paypal-cert-url'] ?? ''
    if (!CERTIFICATE.test(url)) return undefined
    return {
      document: url,
      id: url,
      request: { url },
      keysIn(answer) {
        const certificate = certificateIn(answer, SUBJECTS)
        return new Map(certificate && [[url, certificate]])
      },
      secretWith: (certificate) => `${webhookId}:${certificate}`,
    }
  },
}

/** developer.paypal.com/api/rest/webhooks/rest, "Self verification"; the key's name is the id of the webhook. */
const scheme: SignatureScheme = {
  header: 'paypal-transmission-sig',
  methods: [RSA_SHA256_NAMED],
  rotation,
  read({ headers, body }) {
    const id = headers['paypal-transmission-id']
    const time = headers['paypal-transmission-time'] ?? ''
    const signedAt = readInstant(time)
    const signature = readBase64(headers['paypal-transmission-sig'] ?? '')
    const isRsa = headers['paypal-auth-algo']?.toUpperCase() === 'SHA256WITHRSA'
    if (!signature || !id || signedAt === undefined || !isRsa) return undefined
    const signed = (webhookId: string) => [`${id}|${time}|${webhookId}|${crc32(body)}`]
    const proof = { method: RSA_SHA256_NAMED, signatures: [signature], signed, signedAt }
    return { ...proof, covers: 'checksum', headers: ['paypal-transmission-id'] }
  },
  toleranceSeconds: HORIZON,
  refusals: REFUSALS,
}

export const provider = {
  scheme,
  /**
   * The signature covers only a CRC-32 of the body. Anyone can forge a body with the same CRC-32, so its `id` proves
   * nothing.
   */
  identity: [{ rule: 'signed-id', id: header('paypal-transmission-id') }],
  retries: retriesFor(72),
  type: textIn('event_type'),
  summary: money(['resource', 'amount', 'total'], ['resource', 'amount', 'currency']),
  keptHeaders: ['paypal-transmission-id', 'paypal-transmission-time'],
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['PAYMENT.SALE.COMPLETED', 'PAYMENT.SALE.REFUNDED', 'CHECKOUT.ORDER.APPROVED'],
  draft: (event_type, { id, at }) => ({
    headers: { 'paypal-transmission-id': id },
    body: {
      id: `WH-${id}`,
      event_type,
      create_time: at.toISOString(),
      resource: { amount: { total: '21.00', currency: 'EUR' } },
    },
  }),
  prove: ({ base64, instant }) => ({
    headers: {
      'paypal-auth-algo': 'SHA256withRSA',
      'paypal-transmission-time': instant,
      'paypal-transmission-sig': base64,
    },
  }),
  described: {
    header: '`PayPal-Transmission-Sig`',
    secret: 'webhook id; or webhook id, `:`, certificate or public key in PEM',
    signed: "transmission id, time (262800 s), the body's CRC-32",
  },
})
