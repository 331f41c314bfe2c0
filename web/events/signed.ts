/** Where the built-in sources put the signature or the secret, and what they sign. */
export const SIGNED: Readonly<Record<string, readonly [place: string, parts: string]>> = {
  adyen: ['in the body', 'eight fields of the item'],
  'adyen-platform': ['HmacSignature', 'body'],
  asana: ['X-Hook-Signature', 'body'],
  bitbucket: ['X-Hub-Signature', 'body'],
  calendly: ['Calendly-Webhook-Signature', 'time (180 s), body'],
  chargebee: ['Authorization: Basic', 'nothing'],
  clerk: ['Svix-Signature', 'id, time (300 s), body'],
  discord: ['X-Signature-Ed25519', 'time, body'],
  docusign: ['X-DocuSign-Signature-1 to -100', 'body'],
  dropbox: ['X-Dropbox-Signature', 'body'],
  'event-grid': ['X-Event-Grid-Secret, or ?code= in the address', 'nothing'],
  payment: ['X-Signature, X-Timestamp', 'time if sent (300 s), body'],
  'order-status': ['X-Signature, X-Timestamp', 'time if sent (300 s), body'],
  generic: ['X-Signature, X-Timestamp', 'time if sent (300 s), body'],
  github: ['X-Hub-Signature-256', 'body'],
  gitlab: ['Webhook-Signature, or X-Gitlab-Token', 'id, time (300 s), body; with a token nothing'],
  'google-pubsub': ['Authorization: Bearer', 'nothing of the call; the token has its times (300 s)'],
  hubspot: ['X-HubSpot-Signature-v3', 'method, address, body, time (300 s)'],
  intercom: ['X-Hub-Signature (SHA-1)', 'body'],
  line: ['X-Line-Signature', 'body'],
  linear: ['Linear-Signature', 'body with its time (60 s)'],
  mailgun: ['in the body', 'time, token; not the body'],
  meta: ['X-Hub-Signature-256', 'body'],
  'microsoft-graph': ['in the body', 'nothing'],
  notion: ['X-Notion-Signature', 'body'],
  openai: ['Webhook-Signature', 'id, time (300 s), body'],
  paddle: ['Paddle-Signature', 'time (5 s), body'],
  paypal: ['PayPal-Transmission-Sig', "transmission id, time (262800 s), the body's CRC-32"],
  plaid: ['Plaid-Verification', "time (300 s), the body's SHA-256"],
  postmark: ['Authorization: Basic', 'nothing'],
  razorpay: ['X-Razorpay-Signature', 'body'],
  resend: ['Svix-Signature', 'id, time (300 s), body'],
  sendgrid: ['X-Twilio-Email-Event-Webhook-Signature', 'time, body'],
  shopify: ['X-Shopify-Hmac-Sha256', 'body'],
  slack: ['X-Slack-Signature', 'time (300 s), body'],
  sns: ['in the body', 'six or seven fields, with the time (3900 s)'],
  square: ['X-Square-HmacSha256-Signature', 'address, body'],
  'standard-webhooks': ['Webhook-Signature', 'id, time (300 s), body'],
  stripe: ['Stripe-Signature', 'time (300 s), body'],
  supabase: ['Webhook-Signature', 'id, time (300 s), body'],
  svix: ['Svix-Signature', 'id, time (300 s), body'],
  telegram: ['X-Telegram-Bot-Api-Secret-Token', 'nothing'],
  twilio: ['X-Twilio-Signature (SHA-1)', "address, and the form or the body's SHA-256"],
  twitch: ['Twitch-Eventsub-Message-Signature', 'id, time (600 s), body'],
  typeform: ['Typeform-Signature', 'body'],
  woocommerce: ['X-WC-Webhook-Signature', 'body'],
  workos: ['WorkOS-Signature', 'time (180 s), body'],
  xero: ['X-Xero-Signature', 'body'],
  zendesk: ['X-Zendesk-Webhook-Signature', 'time, body'],
  zoom: ['X-Zm-Signature', 'time (300 s), body'],
}

/**
 * The headers that a signature check reads, in lower case; none if the body has the signature, or for a team's source.
 */
export function signingHeaders(source: string): readonly string[] {
  const place = SIGNED[source]?.[0] ?? ''
  return (place.match(/[A-Z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*/g) ?? []).filter(isHeader).map((name) => name.toLowerCase())
}

/** Words in the descriptions that are no headers. */
function isHeader(word: string): boolean {
  return !['SHA-1', 'Basic', 'Bearer'].includes(word)
}
