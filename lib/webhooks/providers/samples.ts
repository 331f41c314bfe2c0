import type { ProviderSample } from '../sample.ts'
import { sample as adyen } from './adyen.ts'
import { basicAuthSamples } from './basic-auth.ts'
import { bodyMacsSamples } from './body-macs.ts'
import { sample as discord } from './discord.ts'
import { sample as docusign } from './docusign.ts'
import { sample as eventGrid } from './event-grid.ts'
import { sample as generic } from './generic.ts'
import { sample as github } from './github.ts'
import { sample as gitlab } from './gitlab.ts'
import { sample as googlePubsub } from './google-pubsub.ts'
import { sample as hubspot } from './hubspot.ts'
import { byName, type PROVIDERS } from './index.ts'
import { sample as linear } from './linear.ts'
import { sample as mailgun } from './mailgun.ts'
import { sample as meta } from './meta.ts'
import { sample as microsoftGraph } from './microsoft-graph.ts'
import { sample as paypal } from './paypal.ts'
import { sample as plaid } from './plaid.ts'
import { sample as slack } from './slack.ts'
import { sample as sns } from './sns.ts'
import { sample as square } from './square.ts'
import { standardSamples } from './standard.ts'
import { sample as stripe } from './stripe.ts'
import { sample as telegram } from './telegram.ts'
import { timedSamples } from './timed.ts'
import { sample as twilio } from './twilio.ts'
import { sample as twitch } from './twitch.ts'
import { sample as xero } from './xero.ts'
import { sample as zoom } from './zoom.ts'

/** The sample webhooks of each provider; a file of its own, so that no function has them in its bundle. */
export const SAMPLES: Readonly<Record<keyof typeof PROVIDERS, ProviderSample>> = byName({
  ...standardSamples(),
  ...bodyMacsSamples(),
  ...timedSamples(),
  ...basicAuthSamples(),
  adyen: adyen(),
  discord: discord(),
  docusign: docusign(),
  'event-grid': eventGrid(),
  generic: generic(),
  github: github(),
  gitlab: gitlab(),
  'google-pubsub': googlePubsub(),
  hubspot: hubspot(),
  linear: linear(),
  mailgun: mailgun(),
  meta: meta(),
  'microsoft-graph': microsoftGraph(),
  paypal: paypal(),
  plaid: plaid(),
  slack: slack(),
  sns: sns(),
  square: square(),
  stripe: stripe(),
  telegram: telegram(),
  twilio: twilio(),
  twitch: twitch(),
  xero: xero(),
  zoom: zoom(),
})
