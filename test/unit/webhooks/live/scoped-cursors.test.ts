import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstIdAt } from '../../../../lib/runtime/ids.ts'
import { hashOf, WatchCursor, watchCursorOf } from '../../../../lib/webhooks/live/cursor.ts'
import { scopedCursors } from '../../../../lib/webhooks/live/filter.ts'

const OWN = 'shop'
const keyOf = (source: string, number: number) => ({ source, eventId: `e${number}` })
const namedIn = (cursor: string) => [...(WatchCursor.read(cursor)?.named ?? [])]

interface Step {
  readonly source: string
  readonly number: number
  /** Whether all changes so far are visible now. */
  readonly isSettled: boolean
}

const anyStep = fc.record({ source: fc.constantFrom(OWN, 'bank'), number: fc.nat(5), isSettled: fc.boolean() })

/** The changes as a feed tells of them, one in each millisecond. */
function noticesOf(steps: readonly Step[]) {
  const progress = WatchCursor.read(watchCursorOf(0n, []))
  return steps.map(({ source, number, isSettled }, index) => {
    const change = keyOf(source, number)
    const position = firstIdAt(index + 1)
    progress?.note({ ...change, changeId: `${position}` }, 0n)
    if (isSettled) progress?.settle(position)
    return { change, cursor: progress?.cursor ?? '' }
  })
}

const OWN_HASHES = Array.from({ length: 6 }, (_, number) => hashOf(keyOf(OWN, number)))

describe('the cursors of a watcher of some sources', () => {
  it('name exactly the unsettled events of its sources, in any course', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 30 }), (steps) => {
        const scope = scopedCursors(true, undefined)
        for (const { change, cursor } of noticesOf(steps)) {
          const told = scope({ change: change.source === OWN ? change : undefined, cursor })
          expect(namedIn(told.cursor)).toEqual(namedIn(cursor).filter((hash) => OWN_HASHES.includes(hash)))
          expect(WatchCursor.read(told.cursor)?.settled).toBe(WatchCursor.read(cursor)?.settled)
        }
      }),
    )
  })

  it('keep the names with which the watcher resumed', () => {
    const [own, other] = [hashOf(keyOf(OWN, 1)), hashOf(keyOf('bank', 1))]
    const before = WatchCursor.read(watchCursorOf(0n, [[own, firstIdAt(5)]]))
    const cursor = watchCursorOf(0n, [
      [own, firstIdAt(5)],
      [other, firstIdAt(6)],
    ])
    expect(namedIn(scopedCursors(true, before)({ change: undefined, cursor }).cursor)).toEqual([own])
  })

  it('are the common ones for a watcher of all sources', () => {
    const notice = { change: keyOf('bank', 1), cursor: watchCursorOf(0n, [[7, firstIdAt(5)]]) }
    expect(scopedCursors(false, undefined)(notice)).toBe(notice)
  })
})
