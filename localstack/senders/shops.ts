import { createHash } from 'node:crypto'
import { rewritten, type Sender, secondsOf } from './sender.ts'

/** Shops and payment services. Payloads follow the pages that the rows of the scheme table name. */

interface AdyenNotification {
  readonly notificationItems: readonly { readonly NotificationRequestItem: object }[]
}

export const adyen: Sender = {
  events: ['AUTHORISATION', 'CAPTURE', 'REFUND'],
  draft: (eventCode, { id, at }) => {
    const item = {
      pspReference: id,
      originalReference: '',
      merchantAccountCode: 'GatehouseECOM',
      merchantReference: `order-${id}`,
      amount: { value: 1099, currency: 'EUR' },
      eventCode,
      success: 'true',
      eventDate: at.toISOString(),
    }
    return { body: { live: 'false', notificationItems: [{ NotificationRequestItem: item }] } }
  },
  prove: ({ base64: hmacSignature }, { body }) => ({
    body: rewritten(body, (values) => {
      const [first] = (values as unknown as AdyenNotification).notificationItems
      const item = { ...first?.NotificationRequestItem, additionalData: { hmacSignature } }
      return { ...values, notificationItems: [{ NotificationRequestItem: item }] }
    }),
  }),
}

export const paddle: Sender = {
  events: ['transaction.completed', 'subscription.created', 'subscription.canceled'],
  draft: (event_type, { id, at }) => ({
    body: {
      event_id: `evt_${id}`,
      event_type,
      occurred_at: at.toISOString(),
      notification_id: `ntf_${id}`,
      data: { id: `txn_${id}`, status: 'completed', currency_code: 'EUR' },
    },
  }),
  prove: ({ hex, seconds }) => ({ headers: { 'paddle-signature': `ts=${seconds};h1=${hex}` } }),
}

export const paypal: Sender = {
  events: ['PAYMENT.SALE.COMPLETED', 'PAYMENT.SALE.REFUNDED', 'CHECKOUT.ORDER.APPROVED'],
  draft: (event_type, { id, at }) => ({
    headers: { 'paypal-transmission-id': id },
    body: {
      id: `WH-${id}`,
      event_type,
      create_time: at.toISOString(),
      resource: { amount: { total: '21.00', currency: 'EUR' } },
    },
  }),
  prove: ({ base64, instant }) => ({
    headers: {
      'paypal-auth-algo': 'SHA256withRSA',
      'paypal-transmission-time': instant,
      'paypal-transmission-sig': base64,
    },
  }),
}

export const plaid: Sender = {
  events: ['TRANSACTIONS:SYNC_UPDATES_AVAILABLE', 'ITEM:ERROR'],
  draft: (event, { id }) => {
    const [webhook_type, webhook_code] = event.split(':')
    return { body: { webhook_type, webhook_code, item_id: id, environment: 'sandbox' } }
  },
  prove: ({ base64url, seconds }, { body }) => {
    const bodyHash = createHash('sha256').update(body).digest('hex')
    const parts = [
      { alg: 'ES256', typ: 'JWT' },
      { iat: Number(seconds), request_body_sha256: bodyHash },
    ]
    const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    return { headers: { 'plaid-verification': [...signed, base64url].join('.') } }
  },
}

export const razorpay: Sender = {
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
}

export const shopify: Sender = {
  events: ['orders/create', 'orders/paid', 'refunds/create'],
  draft: (topic, { id, at }) => ({
    headers: {
      'x-shopify-topic': topic,
      'x-shopify-event-id': id,
      'x-shopify-webhook-id': id,
      'x-shopify-shop-domain': 'gatehouse.myshopify.com',
      'x-shopify-triggered-at': at.toISOString(),
    },
    body: { id, total_price: '10.00', currency: 'EUR', created_at: at.toISOString() },
  }),
  prove: ({ base64 }) => ({ headers: { 'x-shopify-hmac-sha256': base64 } }),
}

export const square: Sender = {
  events: ['payment.updated', 'order.created', 'refund.created'],
  draft: (type, { id, at }) => ({
    body: { merchant_id: 'GATEHOUSE', type, event_id: id, created_at: at.toISOString(), data: { type: 'payment', id } },
  }),
  prove: ({ base64 }) => ({ headers: { 'x-square-hmacsha256-signature': base64 } }),
}

export const woocommerce: Sender = {
  events: ['order.created', 'order.updated', 'customer.created'],
  draft: (topic, { id, at }) => ({
    headers: {
      'x-wc-webhook-topic': topic,
      'x-wc-webhook-delivery-id': id,
      'x-wc-webhook-id': '7',
      'x-wc-webhook-source': 'https://shop.example/',
    },
    body: { id: 1, number: id, status: 'processing', total: '10.99', date_created: at.toISOString() },
  }),
  prove: ({ base64 }) => ({ headers: { 'x-wc-webhook-signature': base64 } }),
}
