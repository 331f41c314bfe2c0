import type { GatehouseConfig, SourceConfig } from '../../config.ts'
import { configuredProvider } from '../configured/source.ts'
import { parsePayload } from '../form-payload.ts'
import { eventIdentityOf } from '../identity.ts'
import { attemptBody } from '../json.ts'
import { ITEMS_AT_ONCE } from '../place.ts'
import type { Provider, StoringProvider } from '../provider.ts'
import { PROVIDERS, providerOf } from '../providers/index.ts'
import type { EventSource } from '../source.ts'
import { orderStatusSource } from './order-status.ts'
import { paymentSource } from './payment.ts'

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

/** The source of the events that `POST /webhooks/{provider}` accepts. */
export function providerSource(name: string, provider: Provider): EventSource {
  const { scheme, retries, keptHeaders = [] } = provider
  const lateSeconds = retries.renewsTime ? undefined : retries.horizonSeconds
  const read = 'read' in provider ? provider.read : storing(provider)
  return { name, scheme, lateSeconds, keptHeaders, read }
}

function storing(provider: StoringProvider): EventSource['read'] {
  const { parse = parsePayload } = provider
  return (call) => {
    const { payload, unreadable } = attemptBody(call, parse)
    const { row, ...identity } = eventIdentityOf({ ...call, payload }, provider)
    const items = 'items' in row && unreadable === undefined ? row.items?.(payload) : undefined
    return {
      identity,
      unreadable,
      items,
      ...(items && items.length > ITEMS_AT_ONCE && { isHandedOver: true }),
      plan: () => ({ outcome: 'no action' }),
    }
  }
}
