import { hubspot, square, twilio } from './address.ts'
import { base64, bodyMac, hex } from './body-mac.ts'
import { readMilliseconds, readSeconds } from './encoding.ts'
import { generic } from './generic.ts'
import { github } from './github.ts'
import { adyen, linear, mailgun } from './inside-body.ts'
import { HMAC_SHA1 } from './methods.ts'
import { discord, paypal, plaid, sendgrid } from './public-key.ts'
import type { SignatureScheme } from './scheme.ts'
import { docusign, zendesk } from './several-headers.ts'
import { gitlab, standardWebhooks, svix } from './standard.ts'
import { stripe } from './stripe.ts'
import { timestamped } from './timestamped.ts'
import { versioned } from './versioned.ts'

/** How each provider signs. The pages of the providers are named where their rows are made. */
export const SCHEMES = {
  adyen,
  /** support.atlassian.com, "Manage webhooks": secure webhooks. */
  bitbucket: bodyMac({ header: 'x-hub-signature', prefix: 'sha256=', ...hex }),
  /** developer.calendly.com, "Webhook signatures". */
  calendly: timestamped({
    header: 'calendly-webhook-signature',
    separator: ',',
    names: { time: 't', signature: 'v1' },
    joint: '.',
    readTime: readSeconds,
    toleranceSeconds: 180,
  }),
  discord,
  docusign,
  /** dropbox.com/developers/reference/webhooks, "Notification". */
  dropbox: bodyMac({ header: 'x-dropbox-signature', ...hex }),
  generic,
  github,
  gitlab,
  hubspot,
  /** developers.intercom.com, "Webhooks": signed notifications; SHA-1 is all that it offers. */
  intercom: bodyMac({ header: 'x-hub-signature', prefix: 'sha1=', ...hex, method: HMAC_SHA1 }),
  /** developers.line.biz, "Verify webhook signature". */
  line: bodyMac({ header: 'x-line-signature', ...base64 }),
  linear,
  mailgun,
  /** developers.facebook.com/docs/graph-api/webhooks, "Validating payloads". */
  meta: bodyMac({ header: 'x-hub-signature-256', prefix: 'sha256=', ...hex }),
  openai: standardWebhooks,
  /** developer.paddle.com/webhooks/signature-verification. */
  paddle: timestamped({
    header: 'paddle-signature',
    separator: ';',
    names: { time: 'ts', signature: 'h1' },
    joint: ':',
    readTime: readSeconds,
    toleranceSeconds: 5,
  }),
  paypal,
  plaid,
  /** razorpay.com/docs/webhooks/validate-test. */
  razorpay: bodyMac({ header: 'x-razorpay-signature', ...hex }),
  sendgrid,
  /** shopify.dev, "Deliver webhooks through HTTPS". */
  shopify: bodyMac({ header: 'x-shopify-hmac-sha256', ...base64 }),
  /** api.slack.com/authentication/verifying-requests-from-slack. */
  slack: versioned('x-slack-signature', 'x-slack-request-timestamp'),
  square,
  'standard-webhooks': standardWebhooks,
  stripe,
  svix,
  twilio,
  /** typeform.com/developers/webhooks/secure-your-webhooks. */
  typeform: bodyMac({ header: 'typeform-signature', prefix: 'sha256=', ...base64 }),
  /** woocommerce.com/document/webhooks, "Secret". */
  woocommerce: bodyMac({ header: 'x-wc-webhook-signature', ...base64 }),
  /** workos.com/docs/events/data-syncing/webhooks. */
  workos: timestamped({
    header: 'workos-signature',
    separator: ', ',
    names: { time: 't', signature: 'v1' },
    joint: '.',
    readTime: readMilliseconds,
    toleranceSeconds: 180,
  }),
  zendesk,
  /** developers.zoom.us/docs/api/webhooks, "Verify webhook events". */
  zoom: versioned('x-zm-signature', 'x-zm-request-timestamp'),
} as const satisfies Record<string, SignatureScheme>

/** The scheme of a provider's name, else the generic one. */
export function schemeOf(name: string): SignatureScheme {
  const schemes: Readonly<Record<string, SignatureScheme>> = SCHEMES
  return (Object.hasOwn(schemes, name) ? schemes[name] : undefined) ?? generic
}
