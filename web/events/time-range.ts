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
