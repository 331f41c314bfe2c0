import { body, elementsOf, first, header, joined, money, pick, shared, summaryOf, textIn, valueAt } from '../find.ts'
import { type BatchItem, itemOf, itemsAt } from '../identity.ts'
import { type Provider, retriesFor, UNKNOWN_RETRIES } from '../provider.ts'
import { numberFrom, type ProviderSample, secondsOf } from '../sample.ts'
import { base64, bodyMac, hex } from '../schemes/body-mac.ts'
import { readBase64 } from '../schemes/encoding.ts'
import { HMAC_SHA1, HMAC_SHA256_HEX_KEY } from '../schemes/methods.ts'

/** Senders whose signature is a MAC of the body alone. */
export const BODY_MACS = {
  asana: {
    /** developers.asana.com/docs/webhooks-guide, "Receiving events": the key is the secret of the first call. */
    scheme: bodyMac({ header: 'x-hook-signature', ...hex }),
    /** Every eight hours a call without events says that the webhook lives. */
    identity: [{ rule: 'per-item', items: asanaItems }],
    /** The same page: tries for up to 24 hours. */
    retries: retriesFor(24),
    type: ({ payload }) => asanaItems(payload)[0]?.eventType,
    /** The same page, "The webhook handshake". */
    setup: [{ header: 'x-hook-secret' }],
  },
  'adyen-platform': {
    /** docs.adyen.com, "Verify HMAC signatures", for all webhooks but the standard ones. */
    scheme: bodyMac({ header: 'hmacsignature', read: readBase64, method: HMAC_SHA256_HEX_KEY }),
    /** The id is that of a resource, such as a transfer, of which each change comes under the same type. */
    identity: [
      {
        rule: 'id+body',
        id: joined(
          '|',
          textIn('type'),
          first(textIn('data', 'id'), textIn('data', 'merchantId')),
          first(textIn('timestamp'), textIn('createdAt')),
        ),
        repeats: 'signed',
      },
      // Without a time, a body describes the state of a resource, which may come back.
      { rule: 'always-new' },
    ],
    /** docs.adyen.com, "Troubleshoot webhooks": the retry queue lasts 30 days. */
    retries: retriesFor(30 * 24),
    type: textIn('type'),
  },
  bitbucket: {
    /** support.atlassian.com, "Manage webhooks": secure webhooks. */
    scheme: bodyMac({ header: 'x-hub-signature', prefix: 'sha256=', ...hex }),
    identity: [{ rule: 'id+body', id: header('x-request-uuid') }],
    /** support.atlassian.com, "Troubleshoot webhooks": two more tries, at once. */
    retries: retriesFor(1),
    type: header('x-event-key'),
    summary: textIn('repository', 'full_name'),
    keptHeaders: ['x-event-key', 'x-request-uuid', 'x-hook-uuid', 'x-attempt-number'],
  },
  dropbox: {
    /** dropbox.com/developers/reference/webhooks, "Notification". */
    scheme: bodyMac({ header: 'x-dropbox-signature', ...hex }),
    /** A notification names accounts, and says the same again whenever something in them has changed. */
    identity: [{ rule: 'always-new' }],
    /** The same page: it retries for about ten minutes. */
    retries: retriesFor(0.25),
    /** The same page, "Verification". */
    challenge: { parameter: 'challenge', query: {} },
  },
  intercom: {
    /** developers.intercom.com, "Webhooks": signed notifications; Intercom offers only SHA-1. */
    scheme: bodyMac({ header: 'x-hub-signature', prefix: 'sha1=', ...hex, method: HMAC_SHA1 }),
    identity: [{ rule: 'signed-id', id: body('id'), retryMarks: [['delivery_attempts'], ['first_sent_at']] }],
    retries: UNKNOWN_RETRIES,
    type: textIn('topic'),
  },
  line: {
    /** developers.line.biz, "Verify webhook signature". */
    scheme: bodyMac({ header: 'x-line-signature', ...base64 }),
    /** A repeated event says so in each element. */
    identity: [
      {
        rule: 'per-item',
        items: itemsAt(['events'], ['webhookEventId'], ['type']),
        retryMarks: [['events', '*', 'deliveryContext', 'isRedelivery']],
      },
    ],
    retries: UNKNOWN_RETRIES,
    type: shared(['events'], 'type'),
  },
  notion: {
    /** developers.notion.com/reference/webhooks, "Validating event payloads": the key is the token of the first call. */
    scheme: bodyMac({ header: 'x-notion-signature', prefix: 'sha256=', ...hex }),
    identity: [{ rule: 'signed-id', id: body('id'), retryMarks: [['attempt_number']] }],
    /** The same page, "Event delivery": up to eight tries, the last one after about 24 hours. */
    retries: retriesFor(24),
    type: textIn('type'),
    /** The same page, "Verifying the subscription". */
    setup: [{ member: 'verification_token' }],
  },
  razorpay: {
    /** razorpay.com/docs/webhooks/validate-test. */
    scheme: bodyMac({ header: 'x-razorpay-signature', ...hex }),
    identity: [{ rule: 'id+body', id: header('x-razorpay-event-id') }],
    /**
     * razorpay.com/docs/webhooks, "Best Practices": 24 hours. Older events are signed with the secret of their time, so
     * keep the one before for a day.
     */
    retries: retriesFor(24),
    type: textIn('event'),
    summary: textIn('payload', 'payment', 'entity', 'id'),
    keptHeaders: ['x-razorpay-event-id'],
  },
  shopify: {
    /** shopify.dev, "Deliver webhooks through HTTPS". */
    scheme: bodyMac({ header: 'x-shopify-hmac-sha256', ...base64 }),
    /**
     * shopify.dev, "Verify webhook deliveries": the webhook id names a delivery; the event id is the same in calls of
     * other topics and subscriptions. Nobody signs the topic, so it identifies nothing. The same site, "Webhook topics":
     * of what is gone, the body is only its ids.
     */
    identity: [{ rule: 'id+body', id: header('x-shopify-webhook-id'), equalTypes: ['/delete', '/disconnect'] }],
    /** shopify.dev changelog, September 2024: eight tries in four hours. */
    retries: retriesFor(4),
    type: header('x-shopify-topic'),
    /** One change of an order comes as `orders/create`, `orders/paid` and `orders/updated`. */
    resourceEnd: '/',
    summary: summaryOf(money(['total_price'], ['currency']), first(textIn('name'), textIn('id'))),
    keptHeaders: [
      'x-shopify-topic',
      'x-shopify-event-id',
      'x-shopify-webhook-id',
      'x-shopify-shop-domain',
      'x-shopify-api-version',
      'x-shopify-triggered-at',
    ],
  },
  typeform: {
    /** typeform.com/developers/webhooks/secure-your-webhooks. */
    scheme: bodyMac({ header: 'typeform-signature', prefix: 'sha256=', ...base64 }),
    identity: [{ rule: 'signed-id', id: body('event_id') }],
    /** typeform.com/developers, "Webhooks": every few minutes for ten hours. */
    retries: retriesFor(10),
    type: textIn('event_type'),
  },
  woocommerce: {
    /** woocommerce.com/document/webhooks, "Secret". */
    scheme: bodyMac({ header: 'x-wc-webhook-signature', ...base64 }),
    /**
     * `class-wc-webhook.php`, `get_new_delivery_id`: all deliveries of a webhook, which has one topic, within one second
     * have the same id. The same file, `build_payload`: what is deleted is only its id.
     */
    identity: [{ rule: 'id+body', id: header('x-wc-webhook-delivery-id'), equalTypes: ['.deleted'] }],
    /** The same file: nothing is sent again. */
    retries: retriesFor(0),
    type: header('x-wc-webhook-topic'),
    /** A new order comes as `order.created` and `order.updated`. */
    resourceEnd: '.',
    summary: summaryOf(money(['total'], ['currency']), textIn('number'), textIn('status')),
    keptHeaders: ['x-wc-webhook-delivery-id', 'x-wc-webhook-topic', 'x-wc-webhook-id', 'x-wc-webhook-source'],
    /** woocommerce, `class-wc-webhook.php`, `deliver_ping`: any answer but 200 keeps the webhook from becoming active. */
    ping: /^webhook_id=\d{1,20}$/,
  },
} as const satisfies Readonly<Record<string, Provider>>

/** An event has no id, but a resource changes in one way at one time. */
function asanaItems(payload: unknown): readonly BatchItem[] {
  return elementsOf(valueAt(payload, ['events'])).map((element) => {
    const [gid, type] = ['gid', 'resource_type'].map((name) => pick(element, ['resource', name]))
    const [action, at] = ['action', 'created_at'].map((name) => pick(element, [name]))
    return itemOf(gid && `${gid}|${action}|${at}`, type && `${type}.${action}`)
  })
}

/** shopify.dev, "Order" of the REST Admin API. */
const shopifyOrder = {
  name: '#1001',
  email: 'user@example.com',
  currency: 'EUR',
  total_price: '10.00',
  financial_status: 'paid',
  customer: { id: 207119551, email: 'user@example.com' },
  line_items: [{ id: 866550311, sku: 'GATE-1', quantity: 1, price: '10.00' }],
}

/** woocommerce.github.io/woocommerce-rest-api-docs, "Order properties". */
const wooOrder = {
  number: '727',
  status: 'processing',
  currency: 'EUR',
  total: '10.99',
  customer_id: 26,
  billing: { email: 'user@example.com', country: 'DE' },
  line_items: [{ id: 315, product_id: 93, quantity: 1, total: '10.99' }],
}

export const bodyMacsSamples = (): Readonly<Record<keyof typeof BODY_MACS, ProviderSample>> => ({
  asana: {
    events: ['task.changed', 'task.added', 'project.deleted'],
    draft: (event, { id, at }) => {
      const [resource_type, action] = event.split('.')
      return {
        body: {
          events: [
            {
              user: { gid: '12345', resource_type: 'user' },
              created_at: at.toISOString(),
              action,
              resource: { gid: id, resource_type },
              parent: null,
            },
          ],
        },
      }
    },
    prove: ({ hex }) => ({ headers: { 'x-hook-signature': hex } }),
    described: { header: '`X-Hook-Signature`', secret: 'the secret of its first call, as text', signed: 'body' },
  },
  'adyen-platform': {
    events: ['balancePlatform.transfer.updated', 'balancePlatform.accountHolder.created', 'merchant.created'],
    draft: (type, { id, at }) => ({
      body: {
        data: { balancePlatform: 'Gatehouse', id, status: 'booked' },
        environment: 'test',
        timestamp: at.toISOString(),
        type,
      },
    }),
    prove: ({ base64 }) => ({ headers: { hmacsignature: base64 } }),
    described: { header: '`HmacSignature`', secret: 'HMAC key, hexadecimal', signed: 'body' },
  },
  bitbucket: {
    events: ['repo:push', 'pullrequest:created', 'issue:created'],
    draft: (event, { id }) => ({
      headers: {
        'x-event-key': event,
        'x-request-uuid': id,
        'x-hook-uuid': '0e1d2c3b-gate-house',
        'x-attempt-number': '1',
      },
      body: {
        actor: { nickname: 'octocat' },
        repository: { full_name: 'octocat/hello-world' },
        push: { changes: [id] },
      },
    }),
    prove: ({ hex }) => ({ headers: { 'x-hub-signature': `sha256=${hex}` } }),
    described: {
      header: '`X-Hub-Signature`',
      secret: 'text',
      signed: 'body',
      alike: 'A body has the commits, or the resource with its times: support.atlassian.com, "Event payloads"',
    },
  },
  dropbox: {
    events: ['list_folder'],
    draft: (event, { id }) => ({ body: { [event]: { accounts: [`dbid:${id}`] } } }),
    prove: ({ hex }) => ({ headers: { 'x-dropbox-signature': hex } }),
    described: { header: '`X-Dropbox-Signature`', secret: 'text', signed: 'body' },
  },
  intercom: {
    events: ['user.created', 'conversation.user.created'],
    draft: (topic, { id, at }) => ({
      body: { type: 'notification_event', id: `notif_${id}`, topic, created_at: secondsOf(at), data: { item: { id } } },
    }),
    prove: ({ hex }) => ({ headers: { 'x-hub-signature': `sha1=${hex}` } }),
    described: { header: '`X-Hub-Signature` (SHA-1)', secret: 'text', signed: 'body' },
  },
  line: {
    events: ['message', 'follow', 'unfollow'],
    draft: (type, { id, at }) => ({
      body: {
        destination: 'Ugatehouse',
        events: [{ webhookEventId: id, type, mode: 'active', timestamp: at.getTime() }],
      },
    }),
    prove: ({ base64 }) => ({ headers: { 'x-line-signature': base64 } }),
    described: { header: '`X-Line-Signature`', secret: 'text', signed: 'body' },
  },
  notion: {
    events: ['page.created', 'page.content_updated', 'comment.created'],
    draft: (type, { id, at }) => ({
      body: {
        id,
        timestamp: at.toISOString(),
        workspace_id: '13950b26-c203-4f3b-b97d-93ec06319565',
        subscription_id: '29d75c0d-5546-4414-8459-7b7a92f1fc4b',
        integration_id: '0ef2e755-4912-8096-91c1-00376a88a5ca',
        type,
        authors: [{ id: 'c7c11cca-1d73-471d-9b6e-bdef51470190', type: 'person' }],
        attempt_number: 1,
        entity: { id: '153104cd-477e-809d-8dc4-ff2d96ae3090', type: 'page' },
        data: { parent: { id: '13950b26-c203-4f3b-b97d-93ec06319565', type: 'space' } },
      },
    }),
    prove: ({ hex }) => ({ headers: { 'x-notion-signature': `sha256=${hex}` } }),
    described: { header: '`X-Notion-Signature`', secret: 'the token of its first call, as text', signed: 'body' },
  },
  razorpay: {
    events: ['payment.captured', 'payment.failed', 'refund.processed'],
    draft: (event, { id, at }) => ({
      headers: { 'x-razorpay-event-id': id },
      body: {
        entity: 'event',
        event,
        payload: { payment: { entity: { id: `pay_${id}`, amount: 1099, currency: 'INR' } } },
        created_at: secondsOf(at),
      },
    }),
    prove: ({ hex }) => ({ headers: { 'x-razorpay-signature': hex } }),
    described: {
      header: '`X-Razorpay-Signature`',
      secret: 'text',
      signed: 'body',
      alike: 'A body has its time, `created_at`: razorpay.com/docs/webhooks/payloads',
    },
  },
  shopify: {
    events: ['orders/create', 'orders/paid', 'refunds/create'],
    draft: (topic, { id, at }) => ({
      headers: {
        'x-shopify-topic': topic,
        'x-shopify-event-id': id,
        'x-shopify-webhook-id': id,
        'x-shopify-shop-domain': 'gatehouse.myshopify.com',
        'x-shopify-api-version': '2026-10',
        'x-shopify-triggered-at': at.toISOString(),
      },
      body: {
        id: numberFrom(id),
        created_at: at.toISOString(),
        ...(topic.startsWith('orders/')
          ? shopifyOrder
          : { order_id: 820982911946, transactions: [{ amount: '10.00' }] }),
      },
    }),
    prove: ({ base64 }) => ({ headers: { 'x-shopify-hmac-sha256': base64 } }),
    described: {
      header: '`X-Shopify-Hmac-Sha256`',
      secret: 'text',
      signed: 'body',
      alike:
        'A body has its time, `updated_at`; a deleted or disconnected one has only its ids: shopify.dev, "Webhook topics"',
    },
  },
  typeform: {
    events: ['form_response'],
    draft: (event_type, { id, at }) => ({
      body: {
        event_id: id,
        event_type,
        form_response: { form_id: 'gate1', token: id, submitted_at: at.toISOString() },
      },
    }),
    prove: ({ base64 }) => ({ headers: { 'typeform-signature': `sha256=${base64}` } }),
    described: { header: '`Typeform-Signature`', secret: 'text', signed: 'body' },
  },
  woocommerce: {
    events: ['order.created', 'order.updated', 'customer.created'],
    draft: (topic, { id, at }) => ({
      headers: {
        'x-wc-webhook-topic': topic,
        'x-wc-webhook-delivery-id': id,
        'x-wc-webhook-id': '7',
        'x-wc-webhook-source': 'https://shop.example/',
      },
      body: {
        id: numberFrom(id),
        date_created: at.toISOString(),
        ...(topic.startsWith('order.') ? wooOrder : { email: 'user@example.com', username: 'user', role: 'customer' }),
      },
    }),
    prove: ({ base64 }) => ({ headers: { 'x-wc-webhook-signature': base64 } }),
    described: {
      header: '`X-WC-Webhook-Signature`',
      secret: 'text',
      signed: 'body',
      alike:
        'A body has its time, `date_modified`; a deleted one has only its `id`: `class-wc-webhook.php`, `build_payload`',
    },
  },
})
