import { parsePayload } from '../form-payload.ts'
import { eventIdentityOf } from '../identity.ts'
import { attemptBody } from '../json.ts'
import { ITEMS_AT_ONCE } from '../place.ts'
import type { Provider, StoringProvider } from '../provider.ts'
import type { EventSource } from '../source.ts'

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
