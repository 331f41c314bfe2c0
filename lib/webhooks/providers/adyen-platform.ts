import { first, joined, textIn } from '../find.ts'
import { type Provider, retriesFor } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { bodyMac } from '../schemes/body-mac.ts'
import { readBase64 } from '../schemes/encoding.ts'
import { HMAC_SHA256_HEX_KEY } from '../schemes/methods.ts'

export const provider = {
  /** docs.adyen.com, "Verify HMAC signatures", for all webhooks but the standard ones. */
  scheme: bodyMac({ header: 'hmacsignature', read: readBase64, method: HMAC_SHA256_HEX_KEY }),
  /** The id is that of a resource, such as a transfer, of which each change comes under the same type. */
  identity: [
    {
      rule: 'id+body',
      id: joined(
        '|',
        textIn('type'),
        first(textIn('data', 'id'), textIn('data', 'merchantId')),
        first(textIn('timestamp'), textIn('createdAt')),
      ),
      repeats: 'signed',
    },
    // Without a time, a body tells the state of a resource, which may come back.
    { rule: 'always-new' },
  ],
  /** docs.adyen.com, "Troubleshoot webhooks": the retry queue lasts 30 days. */
  retries: retriesFor(30 * 24),
  type: textIn('type'),
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['balancePlatform.transfer.updated', 'balancePlatform.accountHolder.created', 'merchant.created'],
  draft: (type, { id, at }) => ({
    body: {
      data: { balancePlatform: 'Gatehouse', id, status: 'booked' },
      environment: 'test',
      timestamp: at.toISOString(),
      type,
    },
  }),
  prove: ({ base64 }) => ({ headers: { hmacsignature: base64 } }),
  described: { header: '`HmacSignature`', secret: 'HMAC key, hexadecimal', signed: 'body' },
})
