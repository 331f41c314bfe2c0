import type { Provider } from '../provider.ts'
import { provider as adyen } from './adyen.ts'
import { provider as adyenPlatform } from './adyen-platform.ts'
import { provider as bitbucket } from './bitbucket.ts'
import { provider as calendly } from './calendly.ts'
import { provider as chargebee } from './chargebee.ts'
import { provider as clerk } from './clerk.ts'
import { provider as discord } from './discord.ts'
import { provider as docusign } from './docusign.ts'
import { provider as dropbox } from './dropbox.ts'
import { provider as eventGrid } from './event-grid.ts'
import { provider as generic } from './generic.ts'
import { provider as github } from './github.ts'
import { provider as gitlab } from './gitlab.ts'
import { provider as googlePubsub } from './google-pubsub.ts'
import { provider as hubspot } from './hubspot.ts'
import { provider as intercom } from './intercom.ts'
import { provider as line } from './line.ts'
import { provider as linear } from './linear.ts'
import { provider as mailgun } from './mailgun.ts'
import { provider as meta } from './meta.ts'
import { provider as microsoftGraph } from './microsoft-graph.ts'
import { provider as openai } from './openai.ts'
import { provider as paddle } from './paddle.ts'
import { provider as paypal } from './paypal.ts'
import { provider as plaid } from './plaid.ts'
import { provider as postmark } from './postmark.ts'
import { provider as razorpay } from './razorpay.ts'
import { provider as resend } from './resend.ts'
import { provider as sendgrid } from './sendgrid.ts'
import { provider as shopify } from './shopify.ts'
import { provider as slack } from './slack.ts'
import { provider as sns } from './sns.ts'
import { provider as square } from './square.ts'
import { provider as standardWebhooks } from './standard-webhooks.ts'
import { provider as stripe } from './stripe.ts'
import { provider as supabase } from './supabase.ts'
import { provider as svix } from './svix.ts'
import { provider as telegram } from './telegram.ts'
import { provider as twilio } from './twilio.ts'
import { provider as twitch } from './twitch.ts'
import { provider as typeform } from './typeform.ts'
import { provider as woocommerce } from './woocommerce.ts'
import { provider as workos } from './workos.ts'
import { provider as xero } from './xero.ts'
import { provider as zendesk } from './zendesk.ts'
import { provider as zoom } from './zoom.ts'

/** Every provider by the name in its path. */
export const PROVIDERS = {
  adyen,
  'adyen-platform': adyenPlatform,
  bitbucket,
  calendly,
  chargebee,
  clerk,
  discord,
  docusign,
  dropbox,
  'event-grid': eventGrid,
  generic,
  github,
  gitlab,
  'google-pubsub': googlePubsub,
  hubspot,
  intercom,
  line,
  linear,
  mailgun,
  meta,
  'microsoft-graph': microsoftGraph,
  openai,
  paddle,
  paypal,
  plaid,
  postmark,
  razorpay,
  resend,
  sendgrid,
  shopify,
  slack,
  sns,
  square,
  'standard-webhooks': standardWebhooks,
  stripe,
  supabase,
  svix,
  telegram,
  twilio,
  twitch,
  typeform,
  woocommerce,
  workos,
  xero,
  zendesk,
  zoom,
} as const satisfies Readonly<Record<string, Provider>>

/** The provider of that name; `generic` for any name without one. */
export function providerOf(name: string): Provider {
  return isProvider(name) ? PROVIDERS[name] : generic
}

export function isProvider(name: string): name is keyof typeof PROVIDERS {
  return Object.hasOwn(PROVIDERS, name)
}
