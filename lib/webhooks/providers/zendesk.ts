import { textIn } from '../find.ts'
import { parsePayload } from '../form-payload.ts'
import { attempt } from '../json.ts'
import { type Provider, retriesFor } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { readBase64, readInstant } from '../schemes/encoding.ts'
import { HMAC_SHA256 } from '../schemes/methods.ts'
import { timeAndBody } from '../schemes/time-and-body.ts'

const HEADER = 'x-zendesk-webhook-signature'

export const provider = {
  /** developer.zendesk.com, "Verifying webhook authenticity". */
  scheme: timeAndBody({
    header: HEADER,
    timeHeader: `${HEADER}-timestamp`,
    method: HMAC_SHA256,
    read: readBase64,
    readTime: readInstant,
  }),
  /** The body is a template of the customer's, which may say the same every time. */
  identity: [{ rule: 'time+body' }],
  /** support.zendesk.com, "Managing webhooks": up to three tries. */
  retries: retriesFor(1),
  type: textIn('type'),
  parse: (body) => attempt(() => parsePayload(body)).payload,
  keptHeaders: ['x-zendesk-webhook-id', 'x-zendesk-webhook-invocation-id'],
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['zen:event-type:ticket.created', 'zen:event-type:user.created'],
  draft: (type, { id, at }) => ({
    headers: { 'x-zendesk-webhook-id': '01GATEHOUSE', 'x-zendesk-webhook-invocation-id': id },
    body: { type, account_id: 22129848, id, time: at.toISOString(), subject: 'zen:ticket:7', detail: { id: '7' } },
  }),
  prove: ({ base64, instant }) => ({
    headers: { 'x-zendesk-webhook-signature-timestamp': instant, 'x-zendesk-webhook-signature': base64 },
  }),
  described: { header: '`X-Zendesk-Webhook-Signature`', secret: 'text', signed: 'time, body' },
})
