import type { SignedCall } from '../../../lib/webhooks/schemes/scheme.ts'

/** `method`, `url`, `body`, or the name of a header. */
export type Place = string

type Alike = (seed: SignedCall, other: SignedCall) => boolean

/** What of a call its provider does not sign. */
export interface Unsigned {
  /** Places that may be anything. */
  readonly places?: readonly Place[]
  /** Places of which a part is signed, or of which a meaning is: whether two calls agree in that. */
  readonly alike?: Readonly<Record<Place, Alike>>
  /** Places that are signed here, though hardly anyone else signs them. */
  readonly signed?: readonly Place[]
}

/** Nobody signs these, unless its row says so; no more does anyone sign headers that it did not send. */
export const UNSIGNED_EVERYWHERE: readonly Place[] = ['content-type', 'method', 'url']

/** Providers that sign all that they send have no row. */
export const UNSIGNED: Readonly<Record<string, Unsigned>> = {
  adyen: { alike: { body: sameAdyenItem } },
  'adyen-platform': { places: ['protocol'] },
  bitbucket: { places: ['x-event-key', 'x-request-uuid', 'x-hook-uuid', 'x-attempt-number'] },
  calendly: { alike: { 'calendly-webhook-signature': elements('calendly-webhook-signature', ',', ['t', 'v1']) } },
  // The credentials say who calls, and nothing of what.
  chargebee: { places: ['body'], alike: { authorization: sameCredentials } },
  clerk: { alike: { 'svix-signature': entries('svix-signature') } },
  // The secret says who calls, and nothing of what; it comes in a header or in the address.
  'event-grid': { places: ['body', 'aeg-event-type'], alike: { url: sameCode }, signed: ['url'] },
  generic: { alike: { 'x-signature': (...calls) => sameOf(calls, withoutPrefix) } },
  github: { places: ['x-github-event', 'x-github-delivery'] },
  'gitlab-signed': {
    places: ['x-gitlab-event', 'idempotency-key', 'x-gitlab-event-uuid'],
    alike: { 'webhook-signature': entries('webhook-signature') },
  },
  // The token says who calls, and nothing of what.
  'gitlab-token': { places: ['body', 'x-gitlab-event', 'idempotency-key', 'x-gitlab-event-uuid'] },
  'google-pubsub': { places: ['body'], alike: { authorization: (...calls) => sameOf(calls, tokenOf) } },
  'hubspot-v3': { alike: { url: (...calls) => sameOf(calls, unescapedUrl) }, signed: ['method', 'url'] },
  linear: { places: ['linear-delivery', 'linear-event'] },
  mailgun: { alike: { body: sameMailgunSignature } },
  'microsoft-graph': { alike: { body: sameStates } },
  openai: { alike: { 'webhook-signature': entries('webhook-signature') } },
  paddle: { alike: { 'paddle-signature': elements('paddle-signature', ';', ['ts', 'h1']) } },
  paypal: {
    places: ['paypal-cert-url'],
    alike: {
      'paypal-auth-algo': (...calls) => sameOf(calls, ({ headers }) => headers['paypal-auth-algo']?.toUpperCase()),
    },
  },
  postmark: { places: ['body'], alike: { authorization: sameCredentials } },
  razorpay: { places: ['x-razorpay-event-id'] },
  resend: { alike: { 'svix-signature': entries('svix-signature') } },
  shopify: {
    places: [
      'x-shopify-topic',
      'x-shopify-shop-domain',
      'x-shopify-api-version',
      'x-shopify-webhook-id',
      'x-shopify-event-id',
      'x-shopify-triggered-at',
    ],
  },
  sns: { alike: { body: sameFields } },
  square: { signed: ['url'] },
  'standard-webhooks': { alike: { 'webhook-signature': entries('webhook-signature') } },
  'standard-webhooks-v1a': { alike: { 'webhook-signature': entries('webhook-signature') } },
  stripe: { alike: { 'stripe-signature': elements('stripe-signature', ',', ['t', 'v1']) } },
  supabase: { alike: { 'webhook-signature': entries('webhook-signature') } },
  svix: { alike: { 'svix-signature': entries('svix-signature') } },
  telegram: { places: ['body'] },
  'twilio-form': { alike: { url: sameTwilioText, body: sameTwilioText }, signed: ['url'] },
  'twilio-json': { signed: ['url'] },
  twitch: {
    places: [
      'twitch-eventsub-message-type',
      'twitch-eventsub-message-retry',
      'twitch-eventsub-subscription-type',
      'twitch-eventsub-subscription-version',
    ],
  },
  woocommerce: { places: ['x-wc-webhook-topic', 'x-wc-webhook-delivery-id', 'x-wc-webhook-id'] },
  workos: { alike: { 'workos-signature': elements('workos-signature', ', ', ['t', 'v1']) } },
  zendesk: { places: ['x-zendesk-webhook-id', 'x-zendesk-webhook-invocation-id'] },
}

/** The values of a header without the padding of base64, which counts for nothing. */
export function unpadded(value = ''): string {
  return value.replaceAll(/={1,2}(?=$|[,; ])/g, '')
}

function sameOf(calls: readonly SignedCall[], meaning: (call: SignedCall) => unknown): boolean {
  const [seed, other] = calls.map(meaning)
  return seed === other
}

/** A header of elements may name other schemes, and further signatures: the seed's own has to be among them. */
function elements(header: string, separator: string, [time, signature]: readonly [string, string]): Alike {
  return (seed, other) => {
    const valuesOf = ({ headers }: SignedCall, name: string) =>
      unpadded(headers[header])
        .split(separator)
        .filter((element) => element.startsWith(`${name}=`))
    const known = new Set(valuesOf(seed, signature))
    const isSameTime = String(valuesOf(seed, time)) === String(valuesOf(other, time))
    return isSameTime && valuesOf(other, signature).some((element) => known.has(element))
  }
}

/** A header that lists signatures: one of the seed's own has to be among them. */
function entries(header: string): Alike {
  return (seed, other) => {
    const listed = ({ headers }: SignedCall) =>
      unpadded(headers[header])
        .split(' ')
        .map((entry) => entry.replace(/,$/, ''))
    const known = new Set(listed(seed))
    return listed(other).some((entry) => known.has(entry))
  }
}

function sameCredentials(seed: SignedCall, other: SignedCall): boolean {
  return sameOf([seed, other], ({ headers }) => unpadded(headers['authorization']).replace(/^basic +/i, ''))
}

function withoutPrefix({ headers }: SignedCall): string {
  return (headers['x-signature'] ?? '').replace('sha256=', '')
}

/** HubSpot undoes these escapes before it signs. */
function unescapedUrl({ url }: SignedCall): string {
  return url.replaceAll(/%(?:3a|2f|3f|40|21|24|27|28|29|2a|2c|3b)/gi, (escaped) => decodeURIComponent(escaped))
}

/** Twilio signs the address, then names and values of the fields, sorted, with nothing between any of them. */
function sameTwilioText(seed: SignedCall, other: SignedCall): boolean {
  return sameOf([seed, other], (call) => call.url + formText(call))
}

function formText({ body }: SignedCall): string {
  const fields = [...new URLSearchParams(body.toString())]
  const names = [...new Set(fields.map(([name]) => name))].sort()
  const valuesOf = (wanted: string) => new Set(fields.flatMap(([name, value]) => (name === wanted ? [value] : [])))
  return names.flatMap((name) => [...valuesOf(name)].sort().map((value) => name + value)).join('')
}

function sameAdyenItem(seed: SignedCall, other: SignedCall): boolean {
  return sameOf([seed, other], ({ body }) => {
    const { notificationItems: items } = JSON.parse(body.toString())
    const { amount, additionalData, ...item } = items[0].NotificationRequestItem
    const ids = [item.pspReference, item.originalReference, item.merchantAccountCode, item.merchantReference]
    const texts = [
      ...ids,
      amount?.value,
      amount?.currency,
      item.eventCode,
      item.success,
      unpadded(additionalData.hmacSignature),
    ]
    return `${items.length} ${texts.map((text) => (typeof text === 'object' ? '' : (text ?? ''))).join(':')}`
  })
}

function sameMailgunSignature(seed: SignedCall, other: SignedCall): boolean {
  return sameOf([seed, other], ({ body }) => {
    const { timestamp, token, signature } = JSON.parse(body.toString()).signature
    return `${timestamp} ${token} ${signature}`
  })
}

/** The token behind the word `Bearer`, in any case. */
function tokenOf({ headers }: SignedCall): string | undefined {
  return headers['authorization']?.replace(/^bearer +/i, '').trim()
}

/** A call has the secret in a header, which counts, or in the address. */
function sameCode(seed: SignedCall, other: SignedCall): boolean {
  const isInHeader = other.headers['x-event-grid-secret'] !== undefined
  return isInHeader || sameOf([seed, other], ({ url }) => new URLSearchParams(url.replace(/^[^?]*/, '')).get('code'))
}

/** Every notification has the state of the first one of the seed. */
function sameStates(seed: SignedCall, other: SignedCall): boolean {
  const statesOf = ({ body }: SignedCall): readonly string[] =>
    JSON.parse(body.toString()).value.map(({ clientState }: { readonly clientState: string }) => clientState)
  const [state] = statesOf(seed)
  return statesOf(other).every((one) => one === state)
}

const FIELDS = [
  'Message',
  'MessageId',
  'Subject',
  'SubscribeURL',
  'Timestamp',
  'Token',
  'TopicArn',
  'Type',
  'Signature',
]

function sameFields(seed: SignedCall, other: SignedCall): boolean {
  return sameOf([seed, other], ({ body }) => {
    const values = JSON.parse(body.toString())
    return FIELDS.map((name) => `${name} ${name === 'Signature' ? unpadded(values[name]) : (values[name] ?? '')}`).join(
      '\n',
    )
  })
}
