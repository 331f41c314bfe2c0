import { fail, type ServiceError } from '../../errors.ts'
import type { HeldKey, Principal } from '../principal.ts'

/** A caller that may read events; a key can be limited to some sources. */
export type EventViewer = Pick<Principal, 'key'>

export function mayRead({ key }: EventViewer, source: string): boolean {
  return key?.sources?.includes(source) ?? true
}

/**
 * The key of an event, if the caller may read it.
 * @throws ServiceError `KEY_OUT_OF_SCOPE`, whether the event exists or not
 */
export function readable<K extends { readonly source?: string | undefined }>({ key }: EventViewer, named: K): K {
  if (key && !mayRead({ key }, named.source ?? '')) throw outOfScope(key)
  return named
}

/**
 * A filter that finds only events that the caller may read.
 * @throws ServiceError `KEY_OUT_OF_SCOPE` for a filter with another source
 */
export function withinScope<F extends Named>(reader: EventViewer, filter: F): Omit<F, 'source'> & Named {
  const source = filter.source ?? reader.key?.sources
  for (const one of [source ?? []].flat()) readable(reader, { source: one })
  return { ...filter, source }
}

interface Named {
  readonly source?: string | readonly string[] | undefined
}

function outOfScope({ id, sources = [] }: HeldKey): ServiceError {
  return fail('KEY_OUT_OF_SCOPE', { keyId: id, sources })
}
