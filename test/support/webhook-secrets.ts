import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'

/** Names whose secrets are any text. */
const TEXTS = [
  'stripe',
  'github',
  'payment',
  'order-status',
  'demo',
  'dropbox',
  'event-grid',
  'gitlab',
  'intercom',
  'line',
  'mailgun',
  'meta',
  'meta.verify',
  'microsoft-graph',
  'shopify',
  'slack',
  'square',
  'telegram',
  'twilio',
  'twitch',
  'woocommerce',
  'xero',
  'zoom',
]

export interface WebhookSecrets {
  /** As the setting has them. */
  readonly setting: string
  /** What Discord signs with, as PKCS #8 in PEM. */
  readonly discordKey: string
  /** What PayPal signs with, likewise, and the id of the webhook that it signs for; SNS signs with the same. */
  readonly paypal: { readonly key: string; readonly webhookId: string }
}

/** New secrets for every provider that is tried over the wire, each in the form that its provider gives. */
export function makeWebhookSecrets(): WebhookSecrets {
  const discord = generateKeyPairSync('ed25519')
  const paypal = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const webhookId = 'WH-9'
  const rsa = paypal.publicKey.export({ type: 'spki', format: 'pem' })
  const texts = TEXTS.map((name) => [name, `whsec_${randomBytes(24).toString('base64url')}`])
  const whsec = () => `whsec_${randomBytes(24).toString('base64')}`
  const setting = JSON.stringify({
    ...Object.fromEntries(texts),
    adyen: randomBytes(32).toString('hex').toUpperCase(),
    'adyen-platform': randomBytes(32).toString('hex').toUpperCase(),
    discord: discord.publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex'),
    paypal: `${webhookId}:${rsa}`,
    postmark: `gatehouse:${randomBytes(24).toString('base64url')}`,
    sns: `arn:aws:sns:eu-west-1:123456789012:orders ${rsa}`,
    'standard-webhooks': whsec(),
    supabase: `v1,${whsec()}`,
    svix: whsec(),
  })
  const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { setting, discordKey: pem(discord.privateKey), paypal: { key: pem(paypal.privateKey), webhookId } }
}
