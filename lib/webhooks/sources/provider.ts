import * as z from 'zod/mini'
import { invalid } from '../../errors.ts'
import type { Message } from '../find.ts'
import { parsePayload } from '../form-payload.ts'
import type { EventIdentity } from '../identity.ts'
import { eventId, identifier } from '../payload.ts'
import type { Provider, StoringProvider } from '../provider.ts'
import type { EventSource } from '../source.ts'

const names = z.object({ eventId, eventType: z.catch(identifier, 'UNKNOWN') })
const namesWithId = z.object({ ...names.shape, eventId: z.pipe(eventId, identifier) })

/** The source of the events that `POST /webhooks/{provider}` accepts. */
export function providerSource(name: string, provider: Provider): EventSource {
  const { scheme, keptHeaders = [] } = provider
  return { name, scheme, keptHeaders, read: 'read' in provider ? provider.read : storing(provider) }
}

function storing(provider: StoringProvider): EventSource['read'] {
  const { parse = parsePayload } = provider
  return ({ body, headers, signed }) => {
    const identity = identityOf(provider, { headers, signed, payload: parse(body) })
    return { identity, plan: () => ({ outcome: 'no action' }) }
  }
}

function identityOf({ ids, type }: StoringProvider, message: Message): EventIdentity {
  const found = ids.map(({ find, ...place }) => ({ value: find(message) ?? undefined, ...place }))
  const id = found.find(({ value }) => value !== undefined && value !== '') ?? found.at(-1)
  const given = { eventId: id?.value, eventType: type?.(message) }
  const parsed = z.safeParse(id?.isRequired ? namesWithId : names, given)
  if (!parsed.success) throw invalid(parsed.error.issues)
  return id?.isSigned === false ? { ...parsed.data, isIdSigned: false } : parsed.data
}
