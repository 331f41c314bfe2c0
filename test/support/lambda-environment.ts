/** Nothing listens there: a store that cannot be reached is enough to load all that talks to one. */
const NOWHERE = 'http://127.0.0.1:9'

export const STRIPE_SECRET = 'whsec_test'
export const ORDER_SECRET = 'whsec_order'
export const GITHUB_SECRET = 'whsec_github'
export const DEMO_SECRET = 'whsec_demo'

/** What a deployed function finds in its environment, all of it made up. */
export const LAMBDA_ENVIRONMENT = {
  STAGE: 'local',
  BASE_URL: 'https://api.example',
  JWT_KEYS: `test:${Buffer.alloc(64, 7).toString('base64url')}`,
  AUDIT_TABLE: 'gatehouse-local-audit',
  WEBHOOK_SECRETS: JSON.stringify({
    stripe: STRIPE_SECRET,
    'order-status': ORDER_SECRET,
    github: GITHUB_SECRET,
    demo: DEMO_SECRET,
    dropbox: { sameAs: 'demo' },
    slack: { sameAs: 'demo' },
    shopify: { sameAs: 'demo' },
  }),
  USERS_TABLE: 'gatehouse-local-users',
  EVENTS_TABLE: 'gatehouse-local-events',
  PAYMENTS_TABLE: 'gatehouse-local-payments',
  ORDERS_TABLE: 'gatehouse-local-orders',
  SESSIONS_TABLE: 'gatehouse-local-sessions',
  COUNTERS_TABLE: 'gatehouse-local-counters',
  DELIVERIES_TABLE: 'gatehouse-local-deliveries',
  REFUSALS_TABLE: 'gatehouse-local-refusals',
  PASSKEYS_TABLE: 'gatehouse-local-passkeys',
  KEYS_TABLE: 'gatehouse-local-keys',
  MESSAGES_TABLE: 'gatehouse-local-messages',
  REPLAYS_TABLE: 'gatehouse-local-replays',
  REPLAY_QUEUE_URL: `${NOWHERE}/000000000000/gatehouse-local-replay`,
  RETRY_QUEUE_URL: `${NOWHERE}/000000000000/gatehouse-local-retry`,
  AWS_ENDPOINT_URL: NOWHERE,
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  // Metrics go to the console that the test runner silences.
  POWERTOOLS_DEV: 'true',
}
