import type { Answer } from './about.ts'

/** What an endpoint's `about` shows of its answers; `npm run docs` writes it into the documents. Each fits its schema. */
export const HELLO = {
  message: 'Hello, Admin! (secured endpoint)',
  user: 'admin',
  authorities: [{ authority: 'ROLE_ADMIN' }],
}
export const EVENT = {
  id: '3804000000000000000',
  source: 'payment',
  eventId: 'evt-1',
  eventType: 'PAYMENT',
  status: 'PROCESSED',
  receivedAt: '2026-11-21T07:00:00.000',
  processedAt: '2026-11-21T07:00:00.012',
  attempts: 0,
  nextRetryAt: null,
  dead: false,
  errorMessage: null,
  outcome: null,
  proof: { level: 'full', key: 'payment#1', signedAt: '2026-11-21T06:59:58.000Z', typeSigned: true, idSigned: true },
  possibleDuplicateOf: null,
  typeConflict: false,
  held: false,
  summary: '49.90 EUR · order-1042',
  idConflict: null,
  itemCount: null,
}
const CAUSE = {
  eventId: 'evt-1',
  outcome: 'applied',
  at: '2026-11-21T07:00:00.000',
}
export const PAYMENT = {
  id: '3804000000000000000',
  transactionId: 'tx-1',
  orderId: 'order-1',
  customerId: null,
  status: 'COMPLETED',
  amount: '10.00',
  currency: 'EUR',
  updatedAt: '2026-11-21T07:00:00.000',
  events: [{ ...CAUSE, source: 'payment', eventType: 'PAYMENT', href: '/api/webhooks/events/payment/evt-1' }],
}
export const ORDER = {
  id: '3804000000000000001',
  orderId: 'order-1',
  status: 'SHIPPED',
  trackingNumber: '00340434161094021501',
  carrier: 'DHL',
  estimatedDelivery: '2026-11-24',
  updatedAt: '2026-11-21T07:00:00.000',
  events: [
    { ...CAUSE, source: 'order-status', eventType: 'ORDER_STATUS', href: '/api/webhooks/events/order-status/evt-1' },
  ],
}
export const REFUSAL = {
  id: '2026-11-21#06#stripe#too-old#too-old',
  source: 'stripe',
  reason: 'too-old',
  verdict: { reason: 'too-old', sentence: 'It was signed 412 s ago; 300 s are allowed.' },
  count: 12,
  atLeast: true,
  firstAt: '2026-11-21T06:51:07.118',
  lastAt: '2026-11-21T07:00:00.000',
  address: '203.0.113.24',
  size: 1742,
  headers: { 'content-type': 'application/json', 'stripe-signature': null, 'user-agent': 'Stripe/1.0' },
}
export const DESTINATION = {
  name: 'crm',
  to: 'http',
  target: 'crm.example.com',
  state: 'CLOSED',
  since: null,
  by: null,
  reason: null,
  waiting: 2,
  oldestAt: '2026-11-21T06:55:00.000',
  failures: 1,
  lastDeliveredAt: '2026-11-21T06:58:00.000',
  lastAnswer: { at: '2026-11-21T06:59:00.000', status: 503, text: 'HTTP 503' },
  day: { delivered: 998, failed: 2, successRate: 0.998, p50Ms: 121, p95Ms: 340, complete: true },
  publicKeys: ['whpk_6hUpY8IhLcS3hLr7NGD2F1Mv0bO7PeQhUSVoWXOHCLo='],
}
export const DELIVERY = {
  destination: 'crm',
  status: 'DELIVERED',
  attempts: 1,
  dueAt: null,
  deliveredAt: '2026-11-21T07:00:00.214',
  answer: 'HTTP 200',
  history: [
    {
      ...{ at: '2026-11-21T07:00:00.214', status: 'DELIVERED', attempt: 1, replayId: null, user: null, reason: null },
      ...{ ms: 182, error: null },
      request: {
        ...{ method: 'POST', url: 'https://crm.example.com/…', headers: { 'content-type': 'application/json' } },
        ...{ body: '{"id":"evt_1"}', encoding: 'utf8', truncated: false },
      },
      answer: { status: 200, headers: { server: 'nginx' }, body: 'ok', encoding: 'utf8', truncated: false },
    },
  ],
}
export const LISTED_DELIVERY = {
  source: 'stripe',
  eventId: 'evt_1',
  type: 'payment_intent.succeeded',
  receivedAt: '2026-11-21T07:00:00.000',
  summary: '49.90 EUR · order-1042',
  ...DELIVERY,
}
export const API_KEY = {
  id: '0svjv5tv1wq2o',
  name: 'warehouse',
  sources: ['stripe'],
  createdAt: '2026-11-21T07:00:00.000Z',
  createdBy: 'admin',
  expiresAt: '2027-11-21T07:00:00.000Z',
  lastUsedAt: '2026-11-21T07:00:00.000Z',
}
export const USER = {
  id: '0199a1c2-7b3c-7c1e-9f5a-3a5f0c7d2e11',
  username: 'ada',
  role: 'ROLE_USER',
  enabled: true,
  createdAt: '2026-11-21T07:00:00.000Z',
  lastLoginAt: null,
}
export const SESSION_ROW = {
  id: '0123456789abcdef'.repeat(4),
  createdAt: '2026-11-21T07:00:00.000Z',
  lastSeenAt: '2026-11-21T07:05:00.000Z',
  expiresAt: '2026-11-21T07:35:00.000Z',
  authType: 'FORM',
  current: true,
}
export const PASSKEY = {
  id: '0123456789abcdef'.repeat(4),
  name: 'laptop',
  createdAt: '2026-11-21T07:00:00.000Z',
  lastUsedAt: '2026-11-21T07:05:00.000Z',
}
export const CHALLENGE = 'x'.repeat(43)
export const REPLAY = { replayId: 'shop-outage', state: 'RUNNING', matched: 200, done: 0, failed: 0 }
export const ORDERED_REPLAY = {
  ...REPLAY,
  destination: null,
  filter: { source: 'shopify', from: '2026-11-21T05:00:00.000', dead: true },
  reason: 'the shop is open again',
  ratePerSecond: 10,
  user: 'admin',
  acceptedAt: '2026-11-21T07:00:00.000',
}
export const ACCEPTED = {
  success: true,
  message: 'Webhook processed successfully',
  timestamp: '2026-11-21T07:00:00.000',
}
export const DUPLICATE = 'A second delivery of an event changes nothing and is acknowledged like the first.'
/** For endpoints that acknowledge before the handler runs: its failure is nothing that the provider could repair. */
export const KEPT = 'A signed call is stored and acknowledged, even if it cannot be read or its handler fails.'
export const OWN_HOST: Answer = { description: 'To the host name that the cookies belong to.', headers: ['location'] }
export const UNCHANGED: Answer = {
  description: 'What the caller has is still good.',
  headers: ['entityTag', 'revalidation', 'vary'],
}
export const TRAIL_ENTRY = {
  id: '5b0f7e0e-9d55-4a3f-8f6b-0d6c1c2b7a10',
  at: '2026-11-21T07:00:00.000Z',
  action: 'user.changed',
  outcome: 'done',
  error: null,
  actor: { uid: '0199a1c2-7b3c-7c1e-9f5a-3a5f0c7d2e11', name: 'admin', authType: 'JWT', keyId: null },
  nameHash: null,
  target: { type: 'user', id: '0199a1c2-7b3c-7c1e-9f5a-3a5f0c7d2e12', name: 'bob' },
  change: { enabled: false },
  from: '198.51.100.7',
  requestId: 'JKJaXmPLvHcESHA=',
}

/** Of both kinds, with shortened texts. */
const common = { id: 'AQIDBAUGBwg', rawId: 'AQIDBAUGBwg', type: 'public-key' }

/** A browser's answer when it creates a passkey. */
export const NEW_CREDENTIAL = {
  ...common,
  response: { clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0', attestationObject: 'o2NmbXRkbm9uZQ' },
}

/** A browser's answer at a login with a passkey. */
export const USED_CREDENTIAL = {
  ...common,
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
    authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4',
    signature: 'MEUCIQDx',
    userHandle: 'dXNlcg',
  },
}
