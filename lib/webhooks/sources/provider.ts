import type { Message } from '../find.ts'
import { parsePayload } from '../form-payload.ts'
import { eventIdentityOf, type IdentityRow, isGiven } from '../identity.ts'
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
  const { parse = parsePayload, identity: rows } = provider
  return (call) => {
    const { payload, unreadable } = attemptBody(call, parse)
    const message = { ...call, payload }
    const { row, given } = rowOf(rows, message)
    const items = 'items' in row && unreadable === undefined ? row.items?.(payload) : undefined
    return {
      identity: eventIdentityOf(row, given, message, provider),
      unreadable,
      items,
      ...(items && items.length > ITEMS_AT_ONCE && { isHandedOver: true }),
      plan: () => ({ outcome: 'no action' }),
    }
  }
}

interface Found {
  readonly row: IdentityRow
  /** The sender's id, valid or not. */
  readonly given: unknown
}

function rowOf(rows: StoringProvider['identity'], message: Message): Found {
  const found = rows.map((row): Found => ({ row, given: 'id' in row ? row.id(message) : undefined }))
  const last = found[found.length - 1] ?? { row: rows[0], given: undefined }
  return found.find(({ row, given }) => !('id' in row) || isGiven(given)) ?? last
}
