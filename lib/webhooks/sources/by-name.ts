import { providerOf } from '../providers/index.ts'
import type { EventSource } from '../source.ts'
import { orderStatusSource } from './order-status.ts'
import { paymentSource } from './payment.ts'
import { providerSource } from './provider.ts'

/** Our own sources. */
const OWN = new Map([paymentSource, orderStatusSource].map((own) => [own.name, own]))

/**
 * The source of that name: every name is one.
 * @param name in lower case
 */
export function sourceOf(name: string): EventSource {
  return OWN.get(name) ?? providerSource(name, providerOf(name))
}
