import type { Provider } from '../provider.ts'
import { provider as adyen } from './adyen.ts'
import { BASIC_AUTH } from './basic-auth.ts'
import { BODY_MACS } from './body-macs.ts'
import { provider as discord } from './discord.ts'
import { provider as docusign } from './docusign.ts'
import { provider as eventGrid } from './event-grid.ts'
import { provider as generic } from './generic.ts'
import { provider as github } from './github.ts'
import { provider as gitlab } from './gitlab.ts'
import { provider as googlePubsub } from './google-pubsub.ts'
import { provider as hubspot } from './hubspot.ts'
import { provider as linear } from './linear.ts'
import { provider as mailgun } from './mailgun.ts'
import { provider as meta } from './meta.ts'
import { provider as microsoftGraph } from './microsoft-graph.ts'
import { provider as paypal } from './paypal.ts'
import { provider as plaid } from './plaid.ts'
import { provider as slack } from './slack.ts'
import { provider as sns } from './sns.ts'
import { provider as square } from './square.ts'
import { STANDARD } from './standard.ts'
import { provider as stripe } from './stripe.ts'
import { provider as telegram } from './telegram.ts'
import { TIMED } from './timed.ts'
import { provider as twilio } from './twilio.ts'
import { provider as twitch } from './twitch.ts'
import { provider as xero } from './xero.ts'
import { provider as zoom } from './zoom.ts'

/** The same table, by name. */
export function byName<T extends object>(table: T): T {
  return Object.fromEntries(Object.entries(table).sort(([one], [other]) => (one < other ? -1 : 1))) as T
}

/** Every provider by the name in its path. */
export const PROVIDERS = byName({
  ...STANDARD,
  ...BODY_MACS,
  ...TIMED,
  ...BASIC_AUTH,
  adyen,
  discord,
  docusign,
  'event-grid': eventGrid,
  generic,
  github,
  gitlab,
  'google-pubsub': googlePubsub,
  hubspot,
  linear,
  mailgun,
  meta,
  'microsoft-graph': microsoftGraph,
  paypal,
  plaid,
  slack,
  sns,
  square,
  stripe,
  telegram,
  twilio,
  twitch,
  xero,
  zoom,
} as const satisfies Readonly<Record<string, Provider>>)

/** The provider of that name; `generic` for any name without one. */
export function providerOf(name: string): Provider {
  return isProvider(name) ? PROVIDERS[name] : generic
}

export function isProvider(name: string): name is keyof typeof PROVIDERS {
  return Object.hasOwn(PROVIDERS, name)
}
