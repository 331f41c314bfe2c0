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
