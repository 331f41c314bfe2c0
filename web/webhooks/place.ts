import type { RecordKey } from './record.ts'

const FIELDS = ['q', 'status', 'source', 'type', 'from', 'to', 'dead'] as const

/** The filter of the list, as in the query of the API; an empty text means no condition. */
export type Filter = Readonly<Record<(typeof FIELDS)[number], string>>

/** The state in the page's address: the filter, and the open event. */
export interface PageAddress {
  readonly filter: Filter
  readonly open: RecordKey | undefined
}

export const EVERYTHING: Filter = { q: '', status: '', source: '', type: '', from: '', to: '', dead: '' }

/** Parses the state from a query; ignores unknown parameters. */
export function readPlace(search: string): PageAddress {
  const query = new URLSearchParams(search)
  const fields = FIELDS.map((name) => [name, query.get(name) ?? ''])
  const [, source, eventId] = /^([^/]+)\/(.+)$/s.exec(query.get('event') ?? '') ?? []
  const open = source !== undefined && eventId !== undefined ? { source, eventId } : undefined
  return { filter: { ...EVERYTHING, ...Object.fromEntries(fields) }, open }
}

/** The query that {@link readPlace} parses as this state; empty for the unfiltered list. */
export function searchOf({ filter, open }: PageAddress): string {
  const query = new URLSearchParams(demandsOf(filter))
  if (open) query.set('event', `${open.source}/${open.eventId}`)
  return query.size === 0 ? '' : `?${query}`
}

interface Section {
  readonly limit: number
  /** The `nextCursor` of the previous page. */
  readonly cursor?: string
}

/** The API path that lists the events matching the filter. */
export function listPath(filter: Filter, { limit, cursor }: Section): string {
  const query = new URLSearchParams([...demandsOf(filter), ['limit', `${limit}`]])
  if (cursor !== undefined) query.set('cursor', cursor)
  return `/api/webhooks/events?${query}`
}

/** The filter as in the body of a replay, which selects failed events whatever the status says. */
export function replayFilter(filter: Filter): object {
  const { status, dead, ...texts } = Object.fromEntries(demandsOf(filter))
  return { ...texts, ...(dead !== undefined && { dead: dead === 'true' }) }
}

export function isEverything(filter: Filter): boolean {
  return demandsOf(filter).length === 0
}

function demandsOf(filter: Filter): [string, string][] {
  return FIELDS.filter((name) => filter[name] !== '').map((name) => [name, filter[name]])
}
