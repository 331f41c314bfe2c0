import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstIdAt, namedIdAt } from '../../../../../lib/runtime/ids.ts'
import { fromLocalDateTime } from '../../../../../lib/runtime/time.ts'
import { WatchCursor } from '../../../../../lib/webhooks/live/cursor.ts'
import type { HeardNotice } from '../../../../../localstack/commands/listen/feed.ts'
import { shortCursor, startCursor } from '../../../../../localstack/commands/listen/options.ts'
import { stageOutage } from '../../../../../localstack/commands/listen/outage.ts'
import { pollNotices } from '../../../../../localstack/commands/listen/poll.ts'
import { type NamedEvent, StageAway } from '../../../../../localstack/commands/listen/stage.ts'
import { fixedClock, START } from '../../../../support/fakes/clock.ts'

interface Row extends NamedEvent {
  readonly at: number
  /** When the list shows it, in milliseconds. */
  readonly visibleAt: number
}

/** An event that is received so long after the start, and that the list shows a while later. */
function row(after: number, lag = 0): Row {
  const at = START.getTime() + after
  const eventId = `evt-${after}-${lag}`
  return { id: String(namedIdAt(at, eventId)), source: 'demo', eventId, eventType: 'a.b', at, visibleAt: at + lag }
}

/** A list of events that answers in pages of 200, newest first, and now and then not at all. */
function stageWith(rows: readonly Row[]) {
  const clock = fixedClock()
  const state = { requests: 0, failures: 0 }
  return {
    clock,
    state,
    async page({ from, to, limit = '50', cursor = '0' }: Readonly<Record<string, string>>) {
      state.requests++
      if (state.failures-- > 0) throw new StageAway('the service answers 503')
      const now = clock.now().getTime()
      const [first, last] = [from, to].map((text) => fromLocalDateTime(text ?? '')?.getTime())
      const shown = rows
        .filter(({ at, visibleAt }) => visibleAt <= now && at >= (first ?? 0) && at <= (last ?? now))
        .toSorted((one, other) => other.at - one.at)
      const end = Number(cursor) + Number(limit)
      const events = shown.slice(Number(cursor), end)
      return {
        events,
        nextCursor: end < shown.length ? String(end) : null,
        at: new Date(Math.floor(now / 1000) * 1000),
      }
    },
  }
}

/** What a poller tells until the service's time is that. */
async function polled(stage: ReturnType<typeof stageWith>, cursor: string, until: number) {
  const heard: HeardNotice[] = []
  const sleep = async (milliseconds: number) => stage.clock.advance(milliseconds)
  const outage = stageOutage({ sleep, away: () => {}, back: () => {} })
  for await (const notice of pollNotices({ stage, source: undefined, outage, sleep })(cursor)) {
    heard.push(notice)
    if (stage.clock.now().getTime() >= START.getTime() + until) break
  }
  return heard
}

const names = (heard: readonly HeardNotice[]) => heard.flatMap(({ event }) => (event ? [event.eventId] : []))

describe('polling the list of events', () => {
  it('delivers each event once, however late the list shows it', async () => {
    const lags = fc.tuple(fc.integer({ min: 1, max: 60_000 }), fc.integer({ min: 0, max: 15_000 }))
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(lags, { selector: ([after]) => after, maxLength: 40 }), async (given) => {
        const rows = given.map(([after, lag]) => row(after, lag))
        const told = names(await polled(stageWith(rows), startCursor(undefined, START), 120_000))
        expect(told.toSorted()).toEqual(rows.map(({ eventId }) => eventId).toSorted())
      }),
      { numRuns: 100 },
    )
  })

  it('continues after any cursor without a gap, and after an exact one without repeating finished events', async () => {
    const rows = Array.from({ length: 60 }, (_, index) => row(index * 1000 + 1, (index * 7919) % 15_000))
    const stage = stageWith(rows)
    const first = await polled(stage, startCursor(undefined, START), 40_000)
    const last = first.findLast(({ event }) => event)?.cursor ?? ''
    const exact = names(await polled(stage, last, 120_000))
    expect([...names(first), ...exact].toSorted()).toEqual(rows.map(({ eventId }) => eventId).toSorted())
    const again = names(await polled(stage, shortCursor(last), 130_000))
    expect(new Set([...names(first), ...again])).toEqual(new Set(rows.map(({ eventId }) => eventId)))
  })

  it('catches up in the order of receipt, in limited pages, and with few requests over empty days', async () => {
    const day = 86_400_000
    const busy = Array.from({ length: 1000 }, (_, index) => row(index * 3000 - 20 * day))
    const stage = stageWith([...busy, row(-2 * day), row(-5)])
    const told = names(await polled(stage, startCursor({ kind: 'ago', milliseconds: 30 * day }, START), 0))
    expect(told).toHaveLength(1)
    const rest = names(await polled(stage, startCursor({ kind: 'ago', milliseconds: 30 * day }, START), 1000))
    expect(rest).toEqual([...busy.map(({ eventId }) => eventId), row(-2 * day).eventId, row(-5).eventId])
    expect(stage.state.requests).toBeLessThan(80)
  })

  it('requests less often without events, and delivers nothing during an outage of the service', async () => {
    const stage = stageWith([])
    await polled(stage, startCursor(undefined, START), 100_000)
    expect(stage.state.requests).toBeLessThan(30)
    stage.state.failures = 3
    expect(names(await polled(stage, startCursor(undefined, START), 200_000))).toEqual([])
  })

  it('remembers only events that the list may still show', async () => {
    const rows = Array.from({ length: 300 }, (_, index) => row(index * 1000 + 1))
    const heard = await polled(stageWith(rows), startCursor(undefined, START), 400_000)
    expect(heard.every(({ cursor }) => WatchCursor.read(cursor))).toBe(true)
    expect(heard.at(-1)?.cursor).toHaveLength(11)
  })
})

describe('the beginning', () => {
  it.each([
    ['now', undefined, 0],
    ['a relative time', { kind: 'ago', milliseconds: 600_000 }, -600_000],
    ['a little before a time, because events can appear late', { kind: 'time', at: START.getTime() }, -15_000],
  ] as const)('is %s', (_, since, after) => {
    const progress = WatchCursor.read(startCursor(since, START))
    expect(progress?.settled).toBe(firstIdAt(START.getTime() + after) - 1n)
  })

  it('is a cursor unchanged', () => {
    expect(startCursor({ kind: 'cursor', cursor: 'AAAAAAAAAAA' }, START)).toBe('AAAAAAAAAAA')
  })

  it('is not before the first possible time', () => {
    expect(startCursor({ kind: 'time', at: 5 }, START)).toBe('AAAAAAAAAAA')
  })
})
