import type { RecordKey } from './record.ts'

const FIELDS = ['q', 'status', 'source', 'type', 'from', 'to', 'dead'] as const

/** What the list is narrowed to, as the query of the API spells it; an empty text is no demand. */
export type Filter = Readonly<Record<(typeof FIELDS)[number], string>>

/** What the address of the page says: the filter, and the event that is open. */
export interface PageAddress {
  readonly filter: Filter
  readonly open: RecordKey | undefined
}

export const EVERYTHING: Filter = { q: '', status: '', source: '', type: '', from: '', to: '', dead: '' }

/** The place in a query; what it does not know is left out. */
export function readPlace(search: string): PageAddress {
  const query = new URLSearchParams(search)
  const fields = FIELDS.map((name) => [name, query.get(name) ?? ''])
  const [, source, eventId] = /^([^/]+)\/(.+)$/s.exec(query.get('event') ?? '') ?? []
  const open = source !== undefined && eventId !== undefined ? { source, eventId } : undefined
  return { filter: { ...EVERYTHING, ...Object.fromEntries(fields) }, open }
}

/** The query that {@link readPlace} reads as this place; empty for the plain list. */
export function searchOf({ filter, open }: PageAddress): string {
  const query = new URLSearchParams(demandsOf(filter))
  if (open) query.set('event', `${open.source}/${open.eventId}`)
  return query.size === 0 ? '' : `?${query}`
}

interface Section {
  readonly limit: number
  /** Behind which event it begins: the `nextCursor` of the page before. */
  readonly cursor?: string
}

/** Where the API lists what the filter lets through. */
export function listPath(filter: Filter, { limit, cursor }: Section): string {
  const query = new URLSearchParams([...demandsOf(filter), ['limit', `${limit}`]])
  if (cursor !== undefined) query.set('cursor', cursor)
  return `/api/webhooks/events?${query}`
}

/** The filter as the body of a replay has it, which means failed events whatever the status says. */
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
