import { inHeader, textIn } from '../find.ts'
import type { Provider } from '../provider.ts'
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
  ids: [inHeader('x-zendesk-webhook-invocation-id')],
  type: textIn('type'),
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
  described: { header: '`X-Zendesk-Webhook-Signature`', secret: 'text', signed: 'time, body', id: 'no' },
})
