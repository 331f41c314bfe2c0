import { Buffer } from 'node:buffer'
import { deflateRawSync, inflateRawSync } from 'node:zlib'

/*
 * What small webhooks have in common: the fields of the objects that Stripe and GitHub send (docs.stripe.com/api,
 * docs.github.com/webhooks), and the headers that are kept. Stored bytes are only readable with the same bytes again, so
 * nothing of it may ever change: better words would be a second dictionary with a name of its own.
 */

const ADDRESS = { city: null, country: 'US', line1: null, line2: null, postal_code: null, state: null }

const CUSTOMER = {
  id: 'cus_',
  object: 'customer',
  address: ADDRESS,
  balance: 0,
  created: 17,
  currency: 'usd',
  default_source: null,
  delinquent: false,
  description: null,
  discount: null,
  email: '@example.com',
  invoice_prefix: '',
  invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
  livemode: true,
  metadata: {},
  name: null,
  next_invoice_sequence: 1,
  phone: '+1',
  preferred_locales: ['en'],
  tax_exempt: 'none',
  test_clock: null,
}

const SESSION = {
  id: 'cs_live_',
  object: 'checkout.session',
  adaptive_pricing: { enabled: true },
  allow_promotion_codes: null,
  amount_subtotal: 0,
  amount_total: 0,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  billing_address_collection: null,
  cancel_url: 'https://www.',
  client_reference_id: null,
  currency_conversion: null,
  customer_creation: 'if_required',
  customer_details: { email: '', tax_ids: [] },
  expires_at: 17,
  invoice: null,
  locale: null,
  mode: 'payment',
  payment_link: null,
  payment_status: 'paid',
  success_url: 'https://www.',
  total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
  ui_mode: 'hosted',
  url: null,
}

const INVOICE = {
  id: 'in_1',
  object: 'invoice',
  account_country: 'US',
  amount_due: 0,
  amount_paid: 0,
  amount_remaining: 0,
  attempt_count: 1,
  attempted: true,
  auto_advance: false,
  billing_reason: 'subscription_cycle',
  collection_method: 'charge_automatically',
  customer_email: '',
  customer_name: '',
  default_tax_rates: [],
  due_date: null,
  hosted_invoice_url: 'https://invoice.stripe.com/i/acct_1',
  invoice_pdf: 'https://pay.stripe.com/invoice/acct_1',
  lines: { object: 'list', data: [{ id: 'il_1', object: 'line_item', quantity: 1 }], has_more: false, total_count: 1 },
  number: '',
  paid: true,
  period_end: 17,
  period_start: 17,
  status_transitions: { finalized_at: 17, marked_uncollectible_at: null, paid_at: 17, voided_at: null },
  subscription: 'sub_1',
  subtotal: 0,
  total: 0,
}

const SUBSCRIPTION = {
  id: 'sub_1',
  object: 'subscription',
  billing_cycle_anchor: 17,
  cancel_at: null,
  cancel_at_period_end: false,
  canceled_at: null,
  current_period_end: 17,
  current_period_start: 17,
  days_until_due: null,
  ended_at: null,
  items: { object: 'list', data: [{ id: 'si_', object: 'subscription_item' }], url: '/v1/subscription_items?' },
  latest_invoice: 'in_1',
  pause_collection: null,
  plan: { id: 'price_1', object: 'plan', active: true, interval: 'month', interval_count: 1, product: 'prod_' },
  price: { id: 'price_1', object: 'price', type: 'recurring', unit_amount: 0, unit_amount_decimal: '0' },
  start_date: 17,
  status: 'active',
  trial_end: null,
  trial_start: null,
}

const CHARGE = {
  id: 'ch_3',
  object: 'charge',
  amount: 0,
  amount_captured: 0,
  amount_refunded: 0,
  application_fee: null,
  balance_transaction: 'txn_3',
  billing_details: { address: ADDRESS, email: null, name: null, phone: null, tax_id: null },
  calculated_statement_descriptor: '',
  captured: true,
  created: 17,
  disputed: false,
  failure_balance_transaction: null,
  failure_code: null,
  failure_message: null,
  fraud_details: {},
  outcome: {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: 'approved_by_network',
    reason: null,
    risk_level: 'normal',
    risk_score: 1,
    seller_message: 'Payment complete.',
    type: 'authorized',
  },
  paid: true,
  payment_intent: 'pi_3',
  payment_method: 'pm_1',
  payment_method_details: {
    card: {
      brand: 'visa',
      checks: { address_line1_check: 'pass', address_postal_code_check: 'pass', cvc_check: 'pass' },
      exp_month: 1,
      exp_year: 2030,
      extended_authorization: { status: 'disabled' },
      fingerprint: '',
      funding: 'credit',
      installments: null,
      last4: '4242',
      mandate: null,
      network: 'visa',
      network_token: { used: false },
      three_d_secure: null,
      wallet: null,
    },
    type: 'card',
  },
  radar_options: {},
  receipt_number: null,
  receipt_url: 'https://pay.stripe.com/receipts/payment/',
  refunded: false,
  source_transfer: null,
  status: 'succeeded',
}

const INTENT = {
  id: 'pi_3',
  object: 'payment_intent',
  amount: 1000,
  amount_capturable: 0,
  amount_details: { tip: {} },
  amount_received: 1000,
  application: null,
  application_fee_amount: null,
  automatic_payment_methods: { allow_redirects: 'always', enabled: true },
  canceled_at: null,
  cancellation_reason: null,
  capture_method: 'automatic_async',
  client_secret: 'pi_3_secret_',
  confirmation_method: 'automatic',
  created: 17,
  currency: 'eur',
  customer: 'cus_',
  customer_account: null,
  description: null,
  excluded_payment_method_types: null,
  invoice: null,
  last_payment_error: null,
  latest_charge: 'ch_3',
  livemode: true,
  metadata: { orderId: '', order_id: '' },
  next_action: null,
  on_behalf_of: null,
  payment_method: 'pm_1',
  payment_method_configuration_details: { id: 'pmc_1', parent: null },
  payment_method_options: {
    card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    link: { persistent_token: null },
  },
  payment_method_types: ['card', 'link'],
  processing: null,
  receipt_email: null,
  review: null,
  setup_future_usage: 'off_session',
  shipping: { address: ADDRESS, carrier: null, name: '', phone: null, tracking_number: null },
  source: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  status: 'succeeded',
  transfer_data: null,
  transfer_group: null,
}

const event = (type: string, object: object) => ({
  id: 'evt_1',
  object: 'event',
  api_version: '2025-',
  created: 17,
  data: { object },
  livemode: true,
  pending_webhooks: 1,
  request: { id: 'req_', idempotency_key: null },
  type,
})

const USERS = 'https://api.github.com/users/'

const USER = {
  login: '',
  id: 1,
  node_id: 'MDQ6VXNlc',
  avatar_url: 'https://avatars.githubusercontent.com/u/1?v=4',
  gravatar_id: '',
  url: USERS,
  html_url: 'https://github.com/',
  followers_url: `${USERS}/followers`,
  following_url: `${USERS}/following{/other_user}`,
  gists_url: `${USERS}/gists{/gist_id}`,
  starred_url: `${USERS}/starred{/owner}{/repo}`,
  subscriptions_url: `${USERS}/subscriptions`,
  organizations_url: `${USERS}/orgs`,
  repos_url: `${USERS}/repos`,
  events_url: `${USERS}/events{/privacy}`,
  received_events_url: `${USERS}/received_events`,
  type: 'User',
  user_view_type: 'public',
  site_admin: false,
}

const REPOSITORY = 'https://api.github.com/repos/'

const GITHUB = {
  ref: 'refs/heads/main',
  before: '0000000000000000000000000000000000000000',
  action: 'created',
  repository: {
    id: 1,
    node_id: 'R_kgDO',
    full_name: '',
    private: false,
    owner: {},
    description: null,
    fork: false,
    collaborators_url: `${REPOSITORY}/collaborators{/collaborator}`,
    git_refs_url: `${REPOSITORY}/git/refs{/sha}`,
    default_branch: 'main',
  },
  pusher: { name: '', email: '@users.noreply.github.com' },
  membership: { state: 'active', role: 'member', organization_url: 'https://api.github.com/orgs/' },
  organization: {
    hooks_url: 'https://api.github.com/orgs//hooks',
    issues_url: 'https://api.github.com/orgs//issues',
    members_url: 'https://api.github.com/orgs//members{/member}',
    public_members_url: 'https://api.github.com/orgs//public_members{/member}',
  },
  installation: { id: 1, node_id: '' },
  sender: USER,
}

const OWN = {
  eventId: '',
  eventType: 'PAYMENT',
  transactionId: '',
  orderId: '',
  status: 'COMPLETED',
  amount: '10.00',
  currency: 'EUR',
  customerId: '',
  timestamp: '2026-01-01T00:00:00.000Z',
}

/** What is nearer to the end costs fewer bits. */
export const DICTIONARY = Buffer.from(
  [
    { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Mozilla/5.0' },
    {
      'content-type': 'application/json',
      'user-agent': 'GitHub-Hookshot/',
      'x-github-event': '',
      'x-github-delivery': '',
    },
    {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
    },
    GITHUB,
    OWN,
    { type: 'payment_intent.payment_failed' },
  ]
    .map((value) => JSON.stringify(value))
    .concat(
      [
        event('customer.updated', CUSTOMER),
        event('checkout.session.completed', SESSION),
        event('invoice.paid', INVOICE),
        event('customer.subscription.updated', SUBSCRIPTION),
        event('charge.succeeded', CHARGE),
        event('payment_intent.succeeded', INTENT),
      ].map((value) => JSON.stringify(value, null, 2)),
    )
    .join('\n'),
)

/** Bytes that a {@link inflated} makes whole again: far fewer for a text of a webhook, and a few more for noise. */
export function deflated(bytes: Uint8Array): Buffer {
  return deflateRawSync(bytes, { dictionary: DICTIONARY })
}

/** @throws Error for bytes that {@link deflated} did not make */
export function inflated(bytes: Uint8Array): Buffer {
  return inflateRawSync(bytes, { dictionary: DICTIONARY })
}
