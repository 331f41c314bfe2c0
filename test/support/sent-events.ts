import { randomBytes, randomInt, randomUUID } from 'node:crypto'

const random = (characters: number) => randomBytes(characters).toString('base64url').slice(0, characters)

interface StripePayment {
  readonly type?: string
  /** The id of the payment intent. */
  readonly intent?: string
}

/**
 * A payment that Stripe reports (docs.stripe.com/api/payment_intents/object), laid out as Stripe sends it. Whatever differs
 * between two events is random; `bytes` is reached by metadata, as shops use it.
 */
export function stripeEvent(
  bytes: number,
  { type = 'payment_intent.succeeded', intent = `pi_3${random(23)}` }: StripePayment = {},
): string {
  const created = 1_764_100_000 + randomInt(1_000_000)
  const amount = randomInt(100, 99_999)
  const metadata: Record<string, string> = { orderId: `order-${randomInt(10_000_000)}` }
  const address = { city: random(8), country: 'DE', line1: random(14), line2: null, postal_code: '10115', state: null }
  const object = {
    id: intent,
    object: 'payment_intent',
    amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: amount,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: { allow_redirects: 'always', enabled: true },
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${intent}_secret_${random(25)}`,
    confirmation_method: 'automatic',
    created,
    currency: 'eur',
    customer: `cus_${random(14)}`,
    description: `Order ${random(6)}`,
    last_payment_error: null,
    latest_charge: `ch_3${random(23)}`,
    livemode: true,
    metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: `pm_1${random(23)}`,
    payment_method_configuration_details: { id: `pmc_1${random(23)}`, parent: null },
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: ['card'],
    processing: null,
    receipt_email: `${random(10)}@example.org`,
    review: null,
    setup_future_usage: null,
    shipping: { address, carrier: null, name: random(14), phone: `+49${randomInt(1e9)}`, tracking_number: null },
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'succeeded',
    transfer_data: null,
    transfer_group: null,
  }
  const event = {
    id: `evt_3${random(23)}`,
    object: 'event',
    api_version: '2025-10-29.clover',
    created: created + randomInt(9),
    data: { object },
    livemode: true,
    pending_webhooks: 1,
    request: { id: `req_${random(14)}`, idempotency_key: randomUUID() },
    type,
  }
  const text = () => JSON.stringify(event, null, 2)
  while (text().length < bytes - 60) metadata[`key_${random(6)}`] = random(20)
  metadata['end'] = ''
  metadata['end'] = random(Math.max(0, bytes - text().length))
  return text()
}

const WORDS = 'we build and run the tools that teams use to ship software every day with care since long before'.split(
  ' ',
)

/** A change of a membership that GitHub reports (docs.github.com/webhooks, `organization`), described in so many words. */
export function githubEvent(bytes: number): string {
  const user = () => {
    const login = random(9)
    const url = `https://api.github.com/users/${login}`
    const urls = ['followers', 'subscriptions', 'organizations', 'repos', 'received_events']
    return {
      login,
      id: randomInt(1e9),
      node_id: `MDQ6VXNlc${random(8)}`,
      avatar_url: `https://avatars.githubusercontent.com/u/${randomInt(1e8)}?v=4`,
      gravatar_id: '',
      url,
      html_url: `https://github.com/${login}`,
      ...Object.fromEntries(urls.map((name) => [`${name}_url`, `${url}/${name}`])),
      following_url: `${url}/following{/other_user}`,
      gists_url: `${url}/gists{/gist_id}`,
      starred_url: `${url}/starred{/owner}{/repo}`,
      events_url: `${url}/events{/privacy}`,
      type: 'User',
      site_admin: false,
    }
  }
  const login = random(9)
  const url = `https://api.github.com/orgs/${login}`
  const organization = {
    login,
    id: randomInt(1e9),
    node_id: random(12),
    url,
    repos_url: `${url}/repos`,
    description: '',
  }
  const event = { action: 'member_added', membership: { role: 'member', user: user() }, organization, sender: user() }
  const text = () => JSON.stringify(event)
  while (text().length < bytes - 10) organization.description += ` ${WORDS[randomInt(WORDS.length)]}`
  return text()
}
