import { header, pick, summaryOf, textIn } from '../find.ts'
import { type Provider, UNKNOWN_RETRIES } from '../provider.ts'
import { type ProviderSample, rewritten } from '../sample.ts'
import { readHex, readMilliseconds } from '../schemes/encoding.ts'
import { HMAC_SHA256 } from '../schemes/methods.ts'
import { jsonOf } from '../schemes/scan.ts'
import { REFUSALS, type SignatureScheme } from '../schemes/scheme.ts'

/** linear.app/developers/webhooks, "Securing webhooks": the signature covers the body, and the body holds the time. */
const scheme: SignatureScheme = {
  readsBody: true,
  header: 'linear-signature',
  methods: [HMAC_SHA256],
  read({ headers, body }) {
    const signature = readHex(headers['linear-signature'] ?? '')
    if (!signature) return undefined
    return {
      method: HMAC_SHA256,
      signatures: [signature],
      signed: () => [body],
      confirm() {
        const signedAt = readMilliseconds(pick(jsonOf(body), ['webhookTimestamp']) ?? '')
        return signedAt === undefined ? undefined : { signedAt }
      },
    }
  },
  toleranceSeconds: 60,
  refusals: REFUSALS,
}

export const provider = {
  scheme,
  identity: [{ rule: 'id+body', id: header('linear-delivery'), retryMarks: [['webhookTimestamp']] }],
  retries: UNKNOWN_RETRIES,
  type: textIn('type'),
  summary: summaryOf(textIn('action'), textIn('data', 'title')),
  keptHeaders: ['linear-delivery', 'linear-event'],
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['Issue', 'Comment', 'Project'],
  draft: (type, { id, at }) => ({
    headers: { 'linear-delivery': id, 'linear-event': type },
    body: { action: 'create', type, createdAt: at.toISOString(), data: { id, title: 'Say hello' }, webhookId: 'w1' },
  }),
  prove: ({ hex, milliseconds }, { body }) => ({
    headers: { 'linear-signature': hex },
    body: rewritten(body, (values) => ({ ...values, webhookTimestamp: Number(milliseconds) })),
  }),
  described: {
    header: '`Linear-Signature`',
    secret: 'text',
    signed: 'body with its time (60 s)',
    alike: 'A body has `updatedAt` of its resource: linear.app/developers/webhooks, "The webhook payload"',
  },
})
