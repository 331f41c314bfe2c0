import { first, header, textIn } from '../find.ts'
import { type Provider, retriesFor } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { standardProvider, standardSample } from '../standard-sender.ts'

/**
 * supabase.com/docs, "Auth Hooks", and supabase/auth, `hookshttp.go`: three tries within seconds, each with a
 * `webhook-id` and a time of its own, so that only the body names the event.
 */
export const provider = {
  ...standardProvider('webhook', retriesFor(0.25, true)),
  identity: [{ rule: 'signed-id', id: first(textIn('metadata', 'uuid'), header('webhook-id')) }],
  type: textIn('metadata', 'name'),
  /** The same file: with another content type, Supabase fails the operation of the hook. No claims are sent. */
  acknowledgement: {},
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  ...standardSample('webhook', ['before-user-created', 'after-user-created', 'send-email']),
  draft: (name, { id, at }) => ({
    headers: { 'webhook-id': id },
    body: {
      metadata: { uuid: id, time: at.toISOString(), name, ip_address: '127.0.0.1' },
      user: { id, aud: 'authenticated', email: 'user@example.com' },
    },
  }),
  described: {
    header: '`Webhook-Signature`',
    secret: '`v1,whsec_` and base64, or `v1a,whpk_` and a public key',
    signed: 'id, time (300 s), body',
  },
})
