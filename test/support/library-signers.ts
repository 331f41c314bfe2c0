import { sign } from '@octokit/webhooks-methods'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Stripe } from 'stripe'
import { Webhook as SvixWebhook } from 'svix'
import type { Headers } from '../../lib/webhooks/schemes/scheme.ts'

export interface LibrarySigner {
  readonly library: string
  readonly scheme: 'stripe' | 'github' | 'standard-webhooks' | 'svix'
  /** The headers that the provider's library makes; `at` in seconds since the epoch. */
  readonly sign: (secret: string, body: string, at: number) => Promise<Headers>
}

/** The libraries with which providers sign, or say that they do. */
export const LIBRARY_SIGNERS: readonly LibrarySigner[] = [
  {
    library: 'stripe',
    scheme: 'stripe',
    async sign(secret, payload, timestamp) {
      return { 'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp }) }
    },
  },
  {
    library: '@octokit/webhooks-methods',
    scheme: 'github',
    async sign(secret, body) {
      return { 'x-hub-signature-256': await sign(secret, body) }
    },
  },
  {
    library: 'standardwebhooks',
    scheme: 'standard-webhooks',
    async sign(secret, body, at) {
      const signature = new StandardWebhook(secret).sign('msg_1', new Date(at * 1000), body)
      return { 'webhook-id': 'msg_1', 'webhook-timestamp': String(at), 'webhook-signature': signature }
    },
  },
  {
    library: 'svix',
    scheme: 'svix',
    async sign(secret, body, at) {
      const signature = new SvixWebhook(secret).sign('msg_1', new Date(at * 1000), body)
      return { 'svix-id': 'msg_1', 'svix-timestamp': String(at), 'svix-signature': signature }
    },
  },
]
