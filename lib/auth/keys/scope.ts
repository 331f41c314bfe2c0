import { fail, type ServiceError } from '../../errors.ts'
import type { HeldKey, Principal } from '../principal.ts'

/** Whoever is told of events: some see those of some sources only. */
export type EventViewer = Pick<Principal, 'key'>

export function mayRead({ key }: EventViewer, source: string): boolean {
  return key?.sources?.includes(source) ?? true
}

/**
 * What names an event, if the caller may read it.
 * @throws ServiceError `KEY_OUT_OF_SCOPE`, whether there is such an event or not
 */
export function readable<K extends { readonly source?: string | undefined }>({ key }: EventViewer, named: K): K {
  if (key && !mayRead({ key }, named.source ?? '')) throw outOfScope(key)
  return named
}

/**
 * A filter that finds nothing but what the caller may read.
 * @throws ServiceError `KEY_OUT_OF_SCOPE` for one that asks for another source
 */
export function withinScope<F extends { readonly source?: string | undefined }>(
  reader: EventViewer,
  filter: F,
): F & { readonly sources?: readonly string[] } {
  if (filter.source !== undefined) return readable(reader, filter)
  const sources = reader.key?.sources
  return sources ? { ...filter, sources } : filter
}

function outOfScope({ id, sources = [] }: HeldKey): ServiceError {
  return fail('KEY_OUT_OF_SCOPE', { keyId: id, sources })
}
