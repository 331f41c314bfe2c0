import { header } from '../find.ts'
import { type Provider, retriesFor } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { bodyMac, hex } from '../schemes/body-mac.ts'

export const provider = {
  /** support.atlassian.com, "Manage webhooks": secure webhooks. */
  scheme: bodyMac({ header: 'x-hub-signature', prefix: 'sha256=', ...hex }),
  identity: [{ rule: 'id+body', id: header('x-request-uuid') }],
  /** support.atlassian.com, "Troubleshoot webhooks": two more tries, at once. */
  retries: retriesFor(1),
  type: header('x-event-key'),
  keptHeaders: ['x-event-key', 'x-request-uuid', 'x-hook-uuid', 'x-attempt-number'],
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['repo:push', 'pullrequest:created', 'issue:created'],
  draft: (event, { id }) => ({
    headers: {
      'x-event-key': event,
      'x-request-uuid': id,
      'x-hook-uuid': '0e1d2c3b-gate-house',
      'x-attempt-number': '1',
    },
    body: { actor: { nickname: 'octocat' }, repository: { full_name: 'octocat/hello-world' }, push: { changes: [id] } },
  }),
  prove: ({ hex }) => ({ headers: { 'x-hub-signature': `sha256=${hex}` } }),
  described: { header: '`X-Hub-Signature`', secret: 'text', signed: 'body' },
})
