import { Buffer } from 'node:buffer'
import { invalid, type ServiceError } from '../errors.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Current } from '../runtime/current.ts'
import type { RingKey } from '../runtime/settings/key-ring.ts'
import { isSealed, type ReadLine, readLine } from './line.ts'
import type { FoundLine } from './seen-chains.ts'

/** The lines to find, by the values of their members. */
export interface WantedLines {
  readonly action?: string | undefined
  readonly uid?: string | undefined
}

interface PageRequest {
  readonly since: Date
  readonly until?: Date | undefined
  readonly wanted: WantedLines
  /** The most lines of one page; there may be fewer, or none, before the last one. */
  readonly limit: number
  readonly cursor?: string | undefined
}

/** Reads the trail by time, oldest first. */
export interface TrailReader {
  /** Undefined for a cursor of another search. @throws ServiceError `UNAVAILABLE` */
  page(
    request: PageRequest,
  ): Promise<{ readonly lines: readonly FoundLine[]; readonly next?: string | undefined } | undefined>
}

export interface TrailListParts {
  readonly reader: TrailReader
  readonly keys: Current<readonly RingKey[]>
  readonly clock: Clock
}

interface TrailQuery {
  readonly action?: string | undefined
  readonly user?: string | undefined
  readonly since?: Date | undefined
  readonly until?: Date | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Parts of the trail that are searched for one page. A page that stops there is short, and has a cursor. */
const MAXIMUM_SEARCHES = 10

/**
 * One page, oldest first, by default of the last day.
 * @throws ServiceError `VALIDATION_FAILED` for an invalid cursor, `UNAVAILABLE`
 */
export async function listTrail({ reader, keys, clock }: TrailListParts, query: TrailQuery) {
  const { action, user: uid, until, limit, cursor } = query
  const begun = cursor === undefined ? undefined : positionIn(cursor)
  const since = query.since ?? begun?.since ?? new Date(clock.now().getTime() - DAY_MS)
  const lines: FoundLine[] = []
  let next = begun?.token
  for (let search = 0; search < MAXIMUM_SEARCHES; search++) {
    const left = limit - lines.length
    const page = await reader.page({ since, until, wanted: { action, uid }, limit: left, cursor: next })
    if (!page) throw noCursor(cursor)
    lines.push(...page.lines)
    next = page.next
    if (next === undefined || lines.length >= limit) break
  }
  const nextCursor = next === undefined ? null : cursorOf({ token: next, since })
  return { lines: lines.flatMap((line) => shownLine(line, keys.current)), nextCursor }
}

/** Where a search continues, and since when it searches: the default time would have moved by then. */
interface SearchPosition {
  readonly token: string
  readonly since: Date
}

function cursorOf({ token, since }: SearchPosition): string {
  return Buffer.from(`${since.getTime()} ${token}`).toString('base64url')
}

/** @throws ServiceError `VALIDATION_FAILED` */
function positionIn(cursor: string): SearchPosition {
  const [, since, token] = /^(\d{1,15}) ([\x21-\x7e]+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (since === undefined || token === undefined) throw noCursor(cursor)
  return { token, since: new Date(Number(since)) }
}

function noCursor(cursor = ''): ServiceError {
  return invalid([{ path: ['cursor'], message: 'must come from a page of the same search' }], { cursor })
}

/** The members of a line that are shown, under the names in `docs/api.md`. */
const TEXTS = [
  'at',
  'action',
  'outcome',
  'method',
  'uid',
  'user',
  'authType',
  'apiKey',
  'nameHash',
  'from',
  'requestId',
] as const

/** None for a text that is no line: `npm run audit -- verify` finds such texts. */
function shownLine({ text, stream }: FoundLine, keys: readonly RingKey[]) {
  const line = readLine(text)
  if (!line) return []
  const texts = TEXTS.map((name) => [name, textIn(line, name)])
  const authentic = isSealed(line, keys) === true && (stream === undefined || stream === line.chain)
  return [{ chain: line.chain, seq: line.seq, ...Object.fromEntries(texts), target: targetOf(line), authentic }]
}

function textIn({ members }: ReadLine, name: string): string | null {
  const value = members[name]
  return typeof value === 'string' ? value : null
}

function targetOf({ members: { target } }: ReadLine): Readonly<Record<string, string>> {
  if (typeof target !== 'object' || target === null) return {}
  return Object.fromEntries(Object.entries(target).map(([name, value]) => [name, String(value)]))
}
