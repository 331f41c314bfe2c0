import type { EventSource } from '../source.ts'
import { githubSource } from './github.ts'
import { orderStatusSource } from './order-status.ts'
import { paymentSource } from './payment.ts'
import { providerSource } from './provider.ts'
import { stripeSource } from './stripe.ts'

/** The sources with effects of their own. */
const OWN = new Map([paymentSource, orderStatusSource, stripeSource, githubSource].map((own) => [own.name, own]))

/**
 * The source of a name: every name is one.
 * @param name in lower case
 */
export function sourceOf(name: string): EventSource {
  return OWN.get(name) ?? providerSource(name)
}
