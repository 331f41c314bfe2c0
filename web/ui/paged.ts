import { type ReadonlySignal, signal } from '@preact/signals'
import { ask, isSessionOver, wordsOf } from '../ask.ts'

/** A list that the service gives out by pages. */
export interface Paged<Row> {
  /** Undefined until the first answer. */
  readonly rows: ReadonlySignal<readonly Row[] | undefined>
  readonly hasMore: ReadonlySignal<boolean>
  /** Whether the service looked at all rows up to the end of the last page. */
  readonly isComplete: ReadonlySignal<boolean>
  /** Why the rows are missing or out of date. */
  readonly trouble: ReadonlySignal<string | undefined>
  /** Reads the first page, of another query if one is given. */
  readonly read: (query?: Readonly<Record<string, string>>) => Promise<void>
  readonly readMore: () => Promise<void>
}

interface Page<Row> {
  readonly rows: readonly Row[]
  readonly nextCursor?: string | null
  readonly complete?: boolean
}

/**
 * @param path of the list in the API
 * @param pageOf finds rows and cursor in an answer
 */
export function pagedOf<Answer, Row>(path: string, pageOf: (answer: Answer) => Page<Row>): Paged<Row> {
  const rows = signal<readonly Row[] | undefined>(undefined)
  const hasMore = signal(false)
  const isComplete = signal(true)
  const trouble = signal<string | undefined>(undefined)
  let asked: Readonly<Record<string, string>> = {}
  let cursor: string | null = null
  /** Counts the reads: only the answer of the latest one counts. */
  let turn = 0

  async function take(before: readonly Row[], query: Readonly<Record<string, string>>): Promise<void> {
    const mine = ++turn
    const given = Object.entries(query).filter(([, value]) => value !== '')
    const answer = await ask<Answer>(`${path}?${new URLSearchParams(given)}`).then(pageOf, wordsOf)
    if (mine !== turn) return
    if (typeof answer === 'string') {
      trouble.value = isSessionOver.peek() ? undefined : answer
      return
    }
    rows.value = [...before, ...answer.rows]
    cursor = answer.nextCursor ?? null
    hasMore.value = cursor !== null
    isComplete.value = answer.complete ?? true
    trouble.value = undefined
  }

  return {
    rows,
    hasMore,
    isComplete,
    trouble,
    read(query = asked) {
      asked = query
      return take([], query)
    },
    readMore() {
      return cursor === null ? Promise.resolve() : take(rows.peek() ?? [], { ...asked, cursor })
    },
  }
}
