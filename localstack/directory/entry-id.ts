import { createHash } from 'node:crypto'
import type { Entry } from './ldif.ts'

/** The attribute that identifies an entry for ever (RFC 4530); a search returns it only on request. */
export const ENTRY_UUID = 'entryUUID'

/**
 * An entry with an id: that of the LDIF, or else a hash of the entry's content. So an id is the same at each start, and
 * differs for another person of the same name.
 */
export function withId(entry: Entry): Entry {
  const { dn, attributes } = entry
  if (Object.keys(attributes).some((name) => name.toLowerCase() === ENTRY_UUID.toLowerCase())) return entry
  const hash = createHash('sha256')
    .update(JSON.stringify([dn, attributes]))
    .digest('hex')
  // Version 8 of RFC 9562: the content is free.
  const parts = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ]
  return { dn, attributes: { ...attributes, [ENTRY_UUID]: [parts.join('-')] } }
}
