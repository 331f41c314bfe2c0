import type { ProviderSample } from '../sample.ts'
import { sample as adyen } from './adyen.ts'
import { sample as adyenPlatform } from './adyen-platform.ts'
import { sample as bitbucket } from './bitbucket.ts'
import { sample as calendly } from './calendly.ts'
import { sample as chargebee } from './chargebee.ts'
import { sample as clerk } from './clerk.ts'
import { sample as discord } from './discord.ts'
import { sample as docusign } from './docusign.ts'
import { sample as dropbox } from './dropbox.ts'
import { sample as eventGrid } from './event-grid.ts'
import { sample as generic } from './generic.ts'
import { sample as github } from './github.ts'
import { sample as gitlab } from './gitlab.ts'
import { sample as googlePubsub } from './google-pubsub.ts'
import { sample as hubspot } from './hubspot.ts'
import type { PROVIDERS } from './index.ts'
import { sample as intercom } from './intercom.ts'
import { sample as line } from './line.ts'
import { sample as linear } from './linear.ts'
import { sample as mailgun } from './mailgun.ts'
import { sample as meta } from './meta.ts'
import { sample as microsoftGraph } from './microsoft-graph.ts'
import { sample as openai } from './openai.ts'
import { sample as paddle } from './paddle.ts'
import { sample as paypal } from './paypal.ts'
import { sample as plaid } from './plaid.ts'
import { sample as postmark } from './postmark.ts'
import { sample as razorpay } from './razorpay.ts'
import { sample as resend } from './resend.ts'
import { sample as sendgrid } from './sendgrid.ts'
import { sample as shopify } from './shopify.ts'
import { sample as slack } from './slack.ts'
import { sample as sns } from './sns.ts'
import { sample as square } from './square.ts'
import { sample as standardWebhooks } from './standard-webhooks.ts'
import { sample as stripe } from './stripe.ts'
import { sample as supabase } from './supabase.ts'
import { sample as svix } from './svix.ts'
import { sample as telegram } from './telegram.ts'
import { sample as twilio } from './twilio.ts'
import { sample as twitch } from './twitch.ts'
import { sample as typeform } from './typeform.ts'
import { sample as woocommerce } from './woocommerce.ts'
import { sample as workos } from './workos.ts'
import { sample as xero } from './xero.ts'
import { sample as zendesk } from './zendesk.ts'
import { sample as zoom } from './zoom.ts'

/** The sample webhooks of each provider; a file of its own, so that no function has them in its bundle. */
export const SAMPLES: Readonly<Record<keyof typeof PROVIDERS, ProviderSample>> = {
  adyen: adyen(),
  'adyen-platform': adyenPlatform(),
  bitbucket: bitbucket(),
  calendly: calendly(),
  chargebee: chargebee(),
  clerk: clerk(),
  discord: discord(),
  docusign: docusign(),
  dropbox: dropbox(),
  'event-grid': eventGrid(),
  generic: generic(),
  github: github(),
  gitlab: gitlab(),
  'google-pubsub': googlePubsub(),
  hubspot: hubspot(),
  intercom: intercom(),
  line: line(),
  linear: linear(),
  mailgun: mailgun(),
  meta: meta(),
  'microsoft-graph': microsoftGraph(),
  openai: openai(),
  paddle: paddle(),
  paypal: paypal(),
  plaid: plaid(),
  postmark: postmark(),
  razorpay: razorpay(),
  resend: resend(),
  sendgrid: sendgrid(),
  shopify: shopify(),
  slack: slack(),
  sns: sns(),
  square: square(),
  'standard-webhooks': standardWebhooks(),
  stripe: stripe(),
  supabase: supabase(),
  svix: svix(),
  telegram: telegram(),
  twilio: twilio(),
  twitch: twitch(),
  typeform: typeform(),
  woocommerce: woocommerce(),
  workos: workos(),
  xero: xero(),
  zendesk: zendesk(),
  zoom: zoom(),
}
