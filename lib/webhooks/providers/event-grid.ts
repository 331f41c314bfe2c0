import { challengeAt, challengeQuery } from '../challenge.ts'
import { first, header, joined, pick, shared, textIn } from '../find.ts'
import { type BatchItem, isIdentifier, itemOf } from '../identity.ts'
import { type Handshake, type Provider, retriesFor } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { token } from '../schemes/token.ts'

const HEADER = 'x-event-grid-secret'

export const provider = {
  /**
   * Nothing is signed. learn.microsoft.com/azure/event-grid/delivery-properties: a header of the subscription can hold a
   * secret; /secure-webhook-delivery: and so can the query of the address.
   */
  scheme: token(({ headers, url }) => headers[HEADER] ?? challengeQuery(url).get('code')),
  /** CloudEvents, HTTP protocol binding, "Binary content mode": the headers name the event, the body is its data. */
  identity: [
    { rule: 'id+body', id: joined('|', header('ce-source'), header('ce-id')) },
    { rule: 'per-item', items },
  ],
  /** learn.microsoft.com/azure/event-grid/delivery-and-retry. */
  retries: retriesFor(24),
  type: first(header('ce-type'), shared([], 'eventType'), shared([], 'type'), textIn('type')),
  keptHeaders: [
    'ce-id',
    'ce-source',
    'ce-type',
    'ce-time',
    'ce-subject',
    'aeg-event-type',
    'aeg-subscription-name',
    'aeg-delivery-count',
  ],
  handshake,
} as const satisfies Provider

/** Events of Event Grid's own schema come in a list, those of CloudEvents 1.0 in a list or one by one. */
function items(payload: unknown): readonly BatchItem[] {
  return (Array.isArray(payload) ? payload : [payload]).map((event) => {
    const id = pick(event, ['id'])
    const whole = `${pick(event, ['source']) ?? pick(event, ['topic'])}|${id}`
    return itemOf(
      id !== undefined && isIdentifier(whole) ? whole : id,
      pick(event, ['eventType']) ?? pick(event, ['type']),
    )
  })
}

/** learn.microsoft.com/azure/event-grid/end-point-validation-event-grid-events-schema. */
function handshake(payload: unknown): Handshake | undefined {
  if (pick(payload, ['0', 'eventType']) !== 'Microsoft.EventGrid.SubscriptionValidationEvent') return undefined
  return { body: { validationResponse: challengeAt(payload, '0', 'data', 'validationCode') } }
}

export const sample = (): ProviderSample => ({
  events: ['Microsoft.Storage.BlobCreated', 'Microsoft.Storage.BlobDeleted'],
  draft: (eventType, { id, at }) => ({
    headers: { 'aeg-event-type': 'Notification' },
    body: [
      {
        id,
        topic: '/subscriptions/gatehouse/storageAccounts/demo',
        subject: '/blobServices/default/containers/demo/blobs/hello.txt',
        eventType,
        eventTime: at.toISOString(),
        data: { contentType: 'text/plain', contentLength: 5 },
        dataVersion: '',
        metadataVersion: '1',
      },
    ],
  }),
  prove: ({ text }) => ({ headers: { [HEADER]: text } }),
  described: { header: '`X-Event-Grid-Secret`, or `?code=` in the address', secret: 'text', signed: 'nothing' },
})
