import { listCursor, member } from '../../runtime/list-cursor.ts'
import { toLocalDateTime } from '../../runtime/time.ts'
import type { AuditReason } from '../audit.ts'
import { type CountedRefusals, KEPT_MS, refusalKeyOf } from './refusal.ts'

/** Selects the refusals that match all given fields. */
export interface RefusalFilter {
  readonly source?: string | undefined
  readonly reason?: AuditReason | undefined
  /** In the source, the reason, the verdict or the address, in any case. */
  readonly q?: string | undefined
  /** Refused at this time or later, and at this time or before. */
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

/** A place in the order of the list: the last refused first, equal times by id. */
export interface RefusalPosition {
  readonly lastAt: Date
  readonly id: string
}

const refusalCursor = listCursor('refusals', { lastAt: member.time, id: member.name })

interface RefusalRequest extends RefusalFilter {
  readonly limit: number
  readonly cursor?: string | undefined
}

/** What was refused at all instances. */
export interface RefusalList {
  /**
   * Every row whose last refusal is in the span, in any order.
   * @param source of every source if absent
   * @throws ServiceError `UNAVAILABLE`
   */
  between(oldest: Date, newest: Date, source: string | undefined): Promise<readonly CountedRefusals[]>
}

/** So many rows of a source are shown, the last ones. */
const MAXIMUM_PER_SOURCE = 1000

interface Row extends CountedRefusals, RefusalPosition {}

/**
 * One page for operators, the last refused first. A row that is counted on while pages are read moves to the front.
 * @param isLowerBound whether instances may have more refusals than they have written
 * @throws ServiceError `VALIDATION_FAILED` for a cursor of another filter, `UNAVAILABLE`
 */
export async function listRefusals(
  list: RefusalList,
  { limit, cursor, ...filter }: RefusalRequest,
  now: Date,
  isLowerBound: boolean,
) {
  const after = refusalCursor.read(filter, cursor)
  const oldest = new Date(Math.max(now.getTime() - KEPT_MS, filter.from?.getTime() ?? 0))
  const found = await list.between(oldest, now, filter.source)
  const rows = lastOfEach(found.map((refusals): Row => ({ ...refusals, id: idOf(refusals) })).sort(byTime))
    .filter((row) => isMatch(row, filter))
    .filter((row) => after === undefined || byTime(row, after) > 0)
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    refusals: page.map((row) => shownRefusal(row, isLowerBound)),
    nextCursor: last ? refusalCursor.of(filter, last) : null,
  }
}

/** @param rows the newest first */
function lastOfEach(rows: readonly Row[]): readonly Row[] {
  const bySource = Map.groupBy(rows, ({ source }) => source)
  const last = new Set(bySource.values().flatMap((one) => one.slice(0, MAXIMUM_PER_SOURCE)))
  return rows.filter((row) => last.has(row))
}

function isMatch({ source, reason, verdict, address, firstAt }: Row, { q = '', ...filter }: RefusalFilter): boolean {
  const text = [source, reason, verdict.reason, verdict.sentence, address].join('\n').toLowerCase()
  const isReason = filter.reason === undefined || reason === filter.reason
  return isReason && (filter.to === undefined || firstAt <= filter.to) && text.includes(q.toLowerCase())
}

function shownRefusal(row: Row, atLeast: boolean) {
  const { id, source, reason, verdict, count, firstAt, lastAt, address, size, headers } = row
  const times = { firstAt: toLocalDateTime(firstAt), lastAt: toLocalDateTime(lastAt) }
  return { id, source, reason, verdict, count, atLeast, ...times, address, size, headers }
}

function idOf(refusals: CountedRefusals): string {
  const { day, cause } = refusalKeyOf(refusals)
  return `${day}#${cause}`
}

function byTime(one: RefusalPosition, other: RefusalPosition): number {
  return other.lastAt.getTime() - one.lastAt.getTime() || (one.id < other.id ? -1 : Number(one.id > other.id))
}
