import { createHash } from 'node:crypto'
import type { Entry } from './ldif.ts'

/** The attribute that names an entry for ever (RFC 4530); a search tells it only if it asks for it. */
export const ENTRY_UUID = 'entryUUID'

/**
 * An entry with an id: the one that the LDIF gives, else one that is made of all that it holds. So it is the same at each start,
 * and another one for another person of the same name.
 */
export function withId(entry: Entry): Entry {
  const { dn, attributes } = entry
  if (Object.keys(attributes).some((name) => name.toLowerCase() === ENTRY_UUID.toLowerCase())) return entry
  const hash = createHash('sha256')
    .update(JSON.stringify([dn, attributes]))
    .digest('hex')
  // Version 8 of RFC 9562: made as we like.
  const parts = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ]
  return { dn, attributes: { ...attributes, [ENTRY_UUID]: [parts.join('-')] } }
}
