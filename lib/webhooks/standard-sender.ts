import { header, textIn } from './find.ts'
import type { Provider, RetryHabits } from './provider.ts'
import { type ProviderSample, secondsOf } from './sample.ts'
import { type StandardPrefix, standardWebhooks } from './schemes/standard.ts'

/** What all senders of Standard Webhooks, and of Svix before them, have in common. */
export function standardProvider(prefix: StandardPrefix, retries: RetryHabits) {
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
export function standardSample(prefix: StandardPrefix, events: ProviderSample['events']): ProviderSample {
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
