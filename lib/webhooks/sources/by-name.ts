import { providerOf } from '../providers/index.ts'
import type { EventSource } from '../source.ts'
import { orderStatusSource } from './order-status.ts'
import { paymentSource } from './payment.ts'
import { providerSource } from './provider.ts'

/** The sources of our own. */
const OWN = new Map([paymentSource, orderStatusSource].map((own) => [own.name, own]))

/**
 * The source of a name: every name is one.
 * @param name in lower case
 */
export function sourceOf(name: string): EventSource {
  return OWN.get(name) ?? providerSource(name, providerOf(name))
}
