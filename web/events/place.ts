import type { EventRecord, RecordKey } from './record.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Spans that end now, by their name in the address. */
export const RANGES = {
  '15m': { label: 'Last 15 min', words: 'in the last 15 minutes', milliseconds: 15 * MINUTE },
  '1h': { label: 'Last hour', words: 'in the last hour', milliseconds: HOUR },
  '24h': { label: 'Last 24 h', words: 'in the last 24 hours', milliseconds: DAY },
  '7d': { label: 'Last 7 days', words: 'in the last 7 days', milliseconds: 7 * DAY },
  '30d': { label: 'Last 30 days', words: 'in the last 30 days', milliseconds: 30 * DAY },
} as const

export type RangeName = keyof typeof RANGES

export const USUAL_RANGE = '24h'

/** The bounds of a filter: a span that ends now, or given times. */
export interface TimeRange {
  readonly range: RangeName | 'custom'
  /** ISO 8601 in UTC, or empty. With a named range it is where the range began when the first page was read. */
  readonly from: string
  readonly to: string
}

/** The first and the last time of receipt, as the API takes them; `to` is empty for a range that ends now. */
export function boundsOf({ range, from, to }: TimeRange, now: Date): { readonly from: string; readonly to: string } {
  if (range === 'custom' || from !== '') return { from, to }
  return { from: new Date(now.getTime() - RANGES[range].milliseconds).toISOString(), to }
}

/** Filters that may have several values: an event must have one of them. */
export const NAMES = ['status', 'source', 'type'] as const

export type Name = (typeof NAMES)[number]

/** The filter of the list; empty texts and empty lists are no condition. */
export interface Filter extends TimeRange {
  readonly q: string
  readonly status: readonly EventRecord['status'][]
  readonly source: readonly string[]
  readonly type: readonly string[]
  /** Whether no attempt is left: `true`, `false` or empty. */
  readonly dead: string
  /** Whether an event waits for a person: `true` or empty. */
  readonly attention: string
}

/** The parts of an open event. */
export const TABS = ['overview', 'payload', 'headers', 'attempts', 'deliveries', 'proof'] as const

export type Tab = (typeof TABS)[number]

/** The state in the page's address: the filter, the page of the list, and the open event with its visible part. */
export interface PageAddress {
  readonly filter: Filter
  /** Of a later page: the `nextCursor` of the page before. */
  readonly cursor?: string | undefined
  readonly open: RecordKey | undefined
  readonly tab: Tab
}

export const EVERYTHING: Filter = {
  q: '',
  status: [],
  source: [],
  type: [],
  range: USUAL_RANGE,
  from: '',
  to: '',
  dead: '',
  attention: '',
}

/** Parses the state from a query; ignores unknown parameters. */
export function readPlace(search: string): PageAddress {
  const query = new URLSearchParams(search)
  const text = (name: string) => query.get(name) ?? ''
  const [, source, eventId] = /^([^/]+)\/(.+)$/s.exec(text('event')) ?? []
  return {
    filter: {
      q: text('q'),
      status: (text('dead') === 'true' ? ['FAILED'] : query.getAll('status')) as EventRecord['status'][],
      source: query.getAll('source'),
      type: query.getAll('type'),
      range: readRange(query),
      from: text('from'),
      to: text('to'),
      dead: text('dead'),
      attention: text('attention'),
    },
    cursor: query.get('cursor') ?? undefined,
    open: source !== undefined && eventId !== undefined ? { source, eventId } : undefined,
    tab: TABS.find((name) => name === text('tab')) ?? 'overview',
  }
}

function readRange(query: URLSearchParams): TimeRange['range'] {
  const named = query.get('range') ?? ''
  if (Object.hasOwn(RANGES, named)) return named as RangeName
  return query.has('from') || query.has('to') ? 'custom' : USUAL_RANGE
}

/** The query that {@link readPlace} parses as this state; empty for the default list. */
export function searchOf({ filter, cursor, open, tab }: PageAddress): string {
  const { range, from, to } = filter
  const query = new URLSearchParams(demandsOf(filter, { from, to }))
  if (range !== 'custom' && (range !== USUAL_RANGE || from !== '')) query.set('range', range)
  if (cursor !== undefined) query.set('cursor', cursor)
  if (open) query.set('event', `${open.source}/${open.eventId}`)
  if (open && tab !== 'overview') query.set('tab', tab)
  return query.size === 0 ? '' : `?${query}`
}

/** The address of a filter, without an open event. */
export function filterSearch(filter: Filter): string {
  return searchOf({ filter, open: undefined, tab: 'overview' })
}

interface Section {
  readonly now: Date
  readonly limit: number
  readonly cursor?: string | undefined
}

/** The API path that lists the events matching the filter, and where the list begins in time. */
export function listPath(filter: Filter, { now, limit, cursor }: Section): { readonly path: string; from: string } {
  const bounds = boundsOf(filter, now)
  const query = new URLSearchParams([...demandsOf(filter, bounds), ['limit', `${limit}`]])
  if (cursor !== undefined) query.set('cursor', cursor)
  return { path: `/api/webhooks/events?${query}`, from: bounds.from }
}

/** The API path that counts the events of the filter in every status. */
export function countPath(filter: Filter, now: Date): string {
  const query = new URLSearchParams(demandsOf({ ...filter, dead: '', status: [] }, boundsOf(filter, now)))
  return `/api/webhooks/counts?${query}`
}

/** The filter as the fields of a replay have it, which selects failed events whatever the status filter says. */
export function replayFilter(filter: Filter, now: Date): Readonly<Record<string, string>> {
  const { status, attention, ...fields } = Object.fromEntries(demandsOf(filter, boundsOf(filter, now)))
  return attention === undefined ? fields : { ...fields, dead: 'true' }
}

/** Whether the filter has any condition other than a range of time. */
export function isNarrow({ q, status, source, type, dead, attention }: Filter): boolean {
  return [q, dead, attention].some((text) => text !== '') || [status, source, type].some(({ length }) => length > 0)
}

function demandsOf(filter: Filter, { from, to }: { readonly from: string; readonly to: string }): [string, string][] {
  const { q, dead, attention } = filter
  const names = NAMES.flatMap((name) => filter[name].map((value): [string, string] => [name, value]))
  const texts = Object.entries({ q, from, to, dead, attention }).filter(([, value]) => value !== '')
  return [...names, ...texts]
}

const clock = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })

/** The name of a range, in the zone of the viewer. */
export function rangeLabel({ range, from, to }: TimeRange): string {
  if (range !== 'custom') return RANGES[range].label
  if (from === '') return `Until ${shown(to)}`
  return to === '' ? `Since ${shown(from)}` : `${shown(from)} – ${shown(to)}`
}

function shown(iso: string): string {
  const time = new Date(iso)
  return Number.isNaN(time.getTime()) ? iso : clock.format(time)
}
