import * as z from 'zod/mini'
import { listCursor, member } from '../runtime/list-cursor.ts'
import type { Clock } from '../runtime/time.ts'
import type { TrailRow } from './act.ts'

type Position = Pick<TrailRow, 'at' | 'id'>

/** A row, and whether the walk goes through the rows of all names, because none is listed under the one asked for. */
interface Place {
  readonly isWhole: boolean
  readonly row: TrailRow
}

const trailCursor = listCursor('trail', { isWhole: z.boolean(), at: member.time, id: member.name })

/** Reads rows of a span of time, the newest first; `limit` of them, or fewer. Throws ServiceError `UNAVAILABLE`. */
export type TrailPages = (request: {
  /** The rows of one actor, or about one target: by name, or by the id of what has no name. All if absent. */
  readonly by?: { readonly kind: 'actor' | 'target'; readonly name: string } | undefined
  readonly from: Date
  readonly to: Date
  readonly after?: Position | undefined
  readonly limit: number
}) => Promise<{ readonly rows: readonly TrailRow[]; readonly isLast: boolean }>

export interface TrailListParts {
  readonly pages: TrailPages
  /** The present name of an account; undefined for an id of none. Throws ServiceError `UNAVAILABLE`. */
  readonly nameOf: (uid: string) => Promise<string | undefined>
  readonly clock: Clock
}

/** Several values of one member are joined by "or". */
export interface TrailQuery {
  readonly actor?: string | undefined
  readonly target?: string | undefined
  readonly action?: readonly string[] | undefined
  readonly outcome?: readonly string[] | undefined
  /** A part of a name, an id or the action. */
  readonly q?: string | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  /** Whether the list has readings of payloads, too. */
  readonly reads: boolean
  readonly limit: number
  readonly cursor?: string | undefined
}

/** How much one page may look at. */
const MOST_ROWS = 10_000
const LONGEST_MS = 2000

const ROWS_AT_ONCE = 1000

const READING = 'payload.read'

/** The latest time of a date. */
const END_OF_TIME = new Date(8.64e15)

/**
 * One page, newest first.
 * @throws ServiceError `VALIDATION_FAILED` for a cursor that is none, `UNAVAILABLE`
 */
export async function listTrail(parts: TrailListParts, query: TrailQuery) {
  const { clock } = parts
  const begun = clock.now()
  const isFound = matching(query, begun)
  const found: TrailRow[] = []
  const answer = (complete: boolean, last?: Place) => ({
    entries: found.map(shownRow),
    nextCursor: last ? trailCursor.of(selectionOf(query), { ...last.row, isWhole: last.isWhole }) : null,
    complete,
  })
  let seen = 0
  let last: Place | undefined
  for await (const place of walk(parts, query)) {
    if (found.length === query.limit) return answer(true, last)
    const isLong = clock.now().getTime() - begun.getTime() >= LONGEST_MS
    if (seen > 0 && (seen === MOST_ROWS || isLong)) return answer(false, last)
    seen += 1
    last = place
    if (isFound(place.row)) found.push(place.row)
  }
  return answer(true)
}

/**
 * The rows from the cursor on, newest first. Rows are listed under the names of actors and targets, so a text without any
 * rows may be an id: then all rows are walked.
 */
async function* walk({ pages, nameOf }: TrailListParts, query: TrailQuery): AsyncGenerator<Place> {
  const { from = new Date(0), to = END_OF_TIME, limit: first, cursor } = query
  const begin = trailCursor.read(selectionOf(query), cursor)
  const by = begin?.isWhole ? undefined : await indexOf(query, nameOf)

  async function* rowsOf(list: typeof by, start?: Position): AsyncGenerator<TrailRow> {
    let after = start
    for (let limit = first + 1; ; limit = ROWS_AT_ONCE) {
      const { rows, isLast } = await pages({ by: list, from, to, after, limit })
      yield* rows
      if (isLast) return
      after = rows.at(-1) ?? after
    }
  }

  let isAny = begin !== undefined
  for await (const row of rowsOf(by, begin)) {
    isAny = true
    yield { isWhole: by === undefined, row }
  }
  if (by && !isAny) for await (const row of rowsOf(undefined)) yield { isWhole: true, row }
}

/**
 * The rows to look through: those about a target, those of an actor, or all. Whoever does something has a name; what it
 * is done to may be known by its id alone, and is then not among the rows under its name.
 */
async function indexOf({ actor, target }: TrailQuery, nameOf: TrailListParts['nameOf']) {
  if (target !== undefined) return { kind: 'target', name: target } as const
  if (actor === undefined) return undefined
  return { kind: 'actor', name: (UUID.test(actor) ? await nameOf(actor) : undefined) ?? actor } as const
}

/** The form of the id of an account of the database. */
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

function matching({ actor, target, action, outcome, q, reads }: TrailQuery, now: Date): (row: TrailRow) => boolean {
  const isShown = reads || action?.includes(READING)
  const part = q?.toLowerCase()
  const isOneOf = (names: readonly (string | undefined)[], wanted: string | undefined) =>
    wanted === undefined || names.some((name) => name?.toLowerCase() === wanted.toLowerCase())
  return (row) => {
    const { actor: { uid, name, keyId } = {}, target: { id, name: called } = {} } = row
    return (
      row.endsAt > now &&
      (isShown || row.action !== READING) &&
      (action?.includes(row.action) ?? true) &&
      (outcome?.includes(row.outcome) ?? true) &&
      isOneOf([uid, name, keyId], actor) &&
      isOneOf([id, called], target) &&
      (part === undefined ||
        [uid, name, keyId, id, called, row.action].some((text) => text?.toLowerCase().includes(part)))
    )
  }
}

function selectionOf({ limit, cursor, ...selection }: TrailQuery) {
  return selection
}

/** A row as admins see it: what is absent is null, and the members have the order of the description. */
export function shownRow({ endsAt: _, at, actor, target, ...row }: TrailRow) {
  const { id, action, outcome, from } = row
  return {
    ...{ id, at: at.toISOString(), action, outcome, error: null },
    actor: actor ? { uid: null, name: null, authType: null, keyId: null, ...actor } : null,
    nameHash: null,
    target: target ? { ...{ type: target.type, id: null, name: null }, ...target } : null,
    ...{ change: null, from, requestId: null },
    ...row,
  }
}
