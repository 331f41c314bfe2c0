import * as z from 'zod/mini'
import { invalid } from '../../errors.ts'
import type { Identity } from '../identity.ts'
import { eventId, identifier } from '../payload.ts'
import { schemeOf } from '../schemes/table.ts'
import type { EventSource } from '../source.ts'
import { type Message, parsePayload } from './find.ts'
import { type IdentityRow, identityRowOf } from './identities.ts'

const names = z.object({ eventId, eventType: z.catch(identifier, 'UNKNOWN') })
const namesWithId = z.object({ ...names.shape, eventId: z.pipe(eventId, identifier) })

/** `POST /webhooks/{provider}`: events of any name, kept as they are. */
export function providerSource(name: string): EventSource {
  const row = identityRowOf(name)
  const { keptHeaders = [], parse = parsePayload } = row
  return {
    name,
    scheme: schemeOf(name),
    keptHeaders,
    read({ body, headers, signed }) {
      const identity = identityOf(row, { headers, signed, payload: parse(body) })
      return { identity, plan: () => ({ outcome: 'no action' }) }
    },
  }
}

function identityOf({ ids, type }: IdentityRow, message: Message): Identity {
  const found = ids.map(({ find, ...place }) => ({ value: find(message) ?? undefined, ...place }))
  const id = found.find(({ value }) => value !== undefined && value !== '') ?? found.at(-1)
  const given = { eventId: id?.value, eventType: type?.(message) }
  const parsed = z.safeParse(id?.isRequired ? namesWithId : names, given)
  if (!parsed.success) throw invalid(parsed.error.issues)
  return id?.isSigned === false ? { ...parsed.data, isIdSigned: false } : parsed.data
}
