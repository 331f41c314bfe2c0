import { SAMPLES } from '../../lib/webhooks/providers/samples.ts'
import type { Sample } from '../../lib/webhooks/sample.ts'
import { type Catalog, KNOWN } from '../../lib/webhooks/sources/catalog.ts'
import { configuredSample } from './configured.ts'
import { orderStatus, payment } from './own.ts'

const { generic, ...named } = SAMPLES

/** All senders of webhooks, by the name in the path; `demo` stands for every name without a row. */
export const SENDERS: Readonly<Record<keyof typeof named | 'payment' | 'order-status' | 'demo', Sample>> = {
  ...named,
  payment,
  'order-status': orderStatus,
  demo: generic,
}

/** The samples of a sender; undefined for a name without a row that nobody configured. */
export function senderOf(name: string, { configured }: Pick<Catalog, 'configured'> = KNOWN): Sample | undefined {
  const source = configured.get(name)
  const isItself = source && 'preset' in source && source.preset === name
  if (source && !isItself) return configuredSample(source)
  const senders: Readonly<Record<string, Sample>> = SENDERS
  return Object.hasOwn(senders, name) ? senders[name] : undefined
}
