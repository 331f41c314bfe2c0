import type { GatehouseConfig, SourceConfig } from '../../config.ts'
import { configuredProvider } from '../configured/source.ts'
import type { Provider } from '../provider.ts'
import { PROVIDERS, providerOf } from '../providers/index.ts'
import type { EventSource } from '../source.ts'
import { orderStatusSource } from './order-status.ts'
import { paymentSource } from './payment.ts'
import { providerSource } from './provider.ts'

/** The sources of a deployment: every name is one. All names are in lower case. */
export interface Catalog {
  /** Those that have a scheme of their own. */
  readonly names: readonly string[]
  /** What the team configured, by name. */
  readonly configured: ReadonlyMap<string, SourceConfig>
  providerOf(name: string): Provider
  sourceOf(name: string): EventSource
  /** Whether the provider of a source asks by GET whether the address is ours. */
  asksByGet(name: string): boolean
}

/** Our own sources. */
const OWN = new Map([paymentSource, orderStatusSource].map((own) => [own.name, own]))

/** The sources that a team configured, and those that are known without. @param config without a mistake */
export function catalogFrom(config: GatehouseConfig): Catalog {
  const configured = new Map(Object.entries(config.sources ?? {}))
  const providers = new Map([...configured].map(([name, source]) => [name, configuredProvider(source)]))
  const find = (name: string) => providers.get(name) ?? providerOf(name)
  return {
    names: [...new Set([...OWN.keys(), ...Object.keys(PROVIDERS), ...configured.keys()])],
    configured,
    providerOf: find,
    sourceOf: (name) => OWN.get(name) ?? providerSource(name, find(name)),
    asksByGet: (name) => find(name).challenge !== undefined,
  }
}

/** The sources of a deployment without a configuration. */
export const KNOWN: Catalog = catalogFrom({})

/** As {@link KNOWN} has it. */
export const { sourceOf } = KNOWN
