import { first, header, textIn } from '../find.ts'
import { type Provider, type RetryHabits, retriesFor } from '../provider.ts'
import { type ProviderSample, secondsOf } from '../sample.ts'
import { type StandardPrefix, standardWebhooks } from '../schemes/standard.ts'

/** Senders of Standard Webhooks, and of Svix before them. */
export const STANDARD = {
  /** clerk.com/docs, "Webhooks": Svix sends them, and repeats as for all. */
  clerk: standardProvider('svix', retriesFor(28, true)),
  openai: standardProvider('webhook', retriesFor(72, true)),
  /** resend.com/docs, "Verify Webhooks Requests" and "Retries and Replays": Svix sends them, for 28 hours. */
  resend: standardProvider('svix', retriesFor(28, true)),
  /** Standard Webhooks, "Retries": several days, each try with a time of its own. */
  'standard-webhooks': standardProvider('webhook', retriesFor(72, true)),
  /**
   * supabase.com/docs, "Auth Hooks", and supabase/auth, `hookshttp.go`: three tries within seconds, each with a
   * `webhook-id` and a time of its own, so that only the body names the event.
   */
  supabase: {
    ...standardProvider('webhook', retriesFor(0.25, true)),
    identity: [{ rule: 'signed-id', id: first(textIn('metadata', 'uuid'), header('webhook-id')) }],
    type: textIn('metadata', 'name'),
    /** The same file: with another content type, Supabase fails the operation of the hook. No claims are sent. */
    acknowledgement: {},
  },
  /** docs.svix.com, "Retries": 28 hours, each try with a time of its own. */
  svix: standardProvider('svix', retriesFor(28, true)),
} as const satisfies Readonly<Record<string, Provider>>

export const standardSamples = (): Readonly<Record<keyof typeof STANDARD, ProviderSample>> => ({
  clerk: standardSample('svix', ['user.created', 'user.updated', 'session.created']),
  openai: standardSample('webhook', ['response.completed', 'batch.completed', 'fine_tuning.job.succeeded']),
  resend: standardSample('svix', ['email.delivered', 'email.bounced', 'email.opened']),
  'standard-webhooks': standardSample('webhook', ['order.updated', 'order.created', 'user.deleted']),
  supabase: {
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
  },
  svix: standardSample('svix', ['invoice.paid', 'invoice.created', 'user.updated']),
})

/** What all senders of Standard Webhooks, and of Svix before them, have in common. */
function standardProvider(prefix: StandardPrefix, retries: RetryHabits) {
  return {
    scheme: standardWebhooks(prefix),
    identity: [{ rule: 'signed-id', id: header(`${prefix}-id`) }],
    retries,
    type: textIn('type'),
    summary: textIn('data', 'id'),
    keptHeaders: [`${prefix}-id`, `${prefix}-timestamp`],
  } as const satisfies Provider
}

/** The times in a body: those of Standard Webhooks and OpenAI, and of Svix those of Clerk and Resend. */
const TIMES: Readonly<Record<StandardPrefix, (at: Date) => object>> = {
  webhook: (at) => ({ timestamp: at.toISOString(), created_at: secondsOf(at) }),
  svix: (at) => ({ timestamp: at.getTime(), created_at: at.toISOString() }),
}

/** Events as Standard Webhooks recommends them, "Payload structure". */
function standardSample(prefix: StandardPrefix, events: ProviderSample['events']): ProviderSample {
  return {
    events,
    draft: (type, { id, at }) => ({
      headers: { [`${prefix}-id`]: `msg_${id}` },
      body: { type, ...TIMES[prefix](at), data: { id } },
    }),
    prove: ({ base64, seconds }) => ({
      headers: { [`${prefix}-timestamp`]: seconds, [`${prefix}-signature`]: `v1,${base64}` },
    }),
    described: {
      header: prefix === 'svix' ? '`Svix-Signature`' : '`Webhook-Signature`',
      secret: '`whsec_` and base64, or `whpk_` and a public key',
      signed: 'id, time (300 s), body',
    },
  }
}
