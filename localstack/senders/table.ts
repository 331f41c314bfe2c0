import type { SCHEMES } from '../../lib/webhooks/schemes/table.ts'
import { discord, intercom, line, mailgun, meta, sendgrid, slack, twilio, zendesk, zoom } from './messengers.ts'
import { demo, github, orderStatus, payment, stripe } from './own.ts'
import type { Sender } from './sender.ts'
import { adyen, paddle, paypal, plaid, razorpay, shopify, square, woocommerce } from './shops.ts'
import {
  bitbucket,
  calendly,
  docusign,
  dropbox,
  gitlab,
  hubspot,
  linear,
  openai,
  standardWebhooks,
  svix,
  typeform,
  workos,
} from './work.ts'

/** The generic scheme is that of every name without one; these have bodies of their own, or stand for all others. */
type Name = Exclude<keyof typeof SCHEMES, 'generic'> | 'payment' | 'order-status' | 'demo'

/** Everybody that webhooks can be sent as, by the name in the path. */
export const SENDERS: Readonly<Record<Name, Sender>> = {
  stripe,
  github,
  payment,
  'order-status': orderStatus,
  demo,
  adyen,
  bitbucket,
  calendly,
  discord,
  docusign,
  dropbox,
  gitlab,
  hubspot,
  intercom,
  line,
  linear,
  mailgun,
  meta,
  openai,
  paddle,
  paypal,
  plaid,
  razorpay,
  sendgrid,
  shopify,
  slack,
  square,
  'standard-webhooks': standardWebhooks,
  svix,
  twilio,
  typeform,
  woocommerce,
  workos,
  zendesk,
  zoom,
}

/** The sender of a name; undefined for one that is in no table. */
export function senderOf(name: string): Sender | undefined {
  const senders: Readonly<Record<string, Sender>> = SENDERS
  return Object.hasOwn(senders, name) ? senders[name] : undefined
}
