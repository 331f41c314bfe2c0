import { header, summaryOf, textIn } from '../find.ts'
import { type Provider, UNKNOWN_RETRIES } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { HMAC_SHA256_WHSEC, TOKEN } from '../schemes/methods.ts'
import type { SignatureScheme } from '../schemes/scheme.ts'
import { standardWebhooks } from '../schemes/standard.ts'
import { token } from '../schemes/token.ts'

const signed = standardWebhooks('webhook', ['v1'])
const secretToken = token(({ headers }) => headers['x-gitlab-token'])

/**
 * docs.gitlab.com, "Webhooks": a signing token signs as in Standard Webhooks, a secret token is sent verbatim. The
 * headers show which of the two a call uses; either proves the same secret.
 */
const scheme: SignatureScheme = {
  ...signed,
  methods: [HMAC_SHA256_WHSEC, TOKEN],
  read(call) {
    return (call.headers['webhook-signature'] === undefined ? secretToken : signed).read(call)
  },
}

export const provider = {
  scheme,
  /** A call with a signing token has the id of Standard Webhooks; in a call with a secret token nothing is signed. */
  identity: [
    { rule: 'signed-id', id: ({ headers, proven }) => (proven?.covers === 'body' ? headers['webhook-id'] : undefined) },
    { rule: 'id+body', id: header('idempotency-key') },
  ],
  retries: UNKNOWN_RETRIES,
  type: header('x-gitlab-event'),
  summary: summaryOf(textIn('project', 'path_with_namespace'), textIn('ref')),
  keptHeaders: [
    'x-gitlab-event',
    'x-gitlab-event-uuid',
    'x-gitlab-webhook-uuid',
    'x-gitlab-instance',
    'idempotency-key',
    'webhook-id',
    'webhook-timestamp',
  ],
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['Push Hook', 'Merge Request Hook', 'Issue Hook'],
  draft: (event, { id }) => ({
    headers: {
      'x-gitlab-event': event,
      'x-gitlab-event-uuid': id,
      'x-gitlab-instance': 'https://gitlab.example',
      'idempotency-key': id,
      'webhook-id': `msg_${id}`,
    },
    body: { object_kind: 'push', ref: 'refs/heads/main', checkout_sha: id, user_username: 'octocat' },
  }),
  prove: ({ base64, seconds }) => ({
    headers: { 'webhook-timestamp': seconds, 'webhook-signature': `v1,${base64}` },
  }),
  described: {
    header: '`Webhook-Signature`, or `X-Gitlab-Token`',
    secret: '`whsec_` and base64, or the token',
    signed: 'id, time (300 s), body; with a token nothing',
    alike: 'Who has seen a call with a token can send any body: docs.gitlab.com, "Webhooks", secret token',
  },
})
