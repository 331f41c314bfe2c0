import { describe, expect, it } from 'vitest'
import { unavailable } from '../../../../lib/errors.ts'
import type { AuditDecision } from '../../../../lib/webhooks/audit.ts'
import { createHeardNotes, hearingAudit } from '../../../../lib/webhooks/heard/notes.ts'
import { recordingLog } from '../../../support/fakes/log.ts'
import { virtualTime } from '../../../support/fakes/timers.ts'

const MINUTE = 60_000

function setUp(state: 'up' | 'down' | 'hanging' = 'up') {
  const time = virtualTime()
  const log = recordingLog()
  const written: [string, Date][] = []
  const store = {
    async note(source: string, at: Date) {
      if (state === 'hanging') return new Promise<void>(() => {})
      if (state === 'down') throw unavailable(new Error('the store is down'))
      written.push([source, at])
    },
  }
  const notes = createHeardNotes({ store, clock: time.clock, timers: time.timers, log })
  return { time, log, notes, written, sources: () => written.map(([source]) => source) }
}

describe('the accepted calls of an instance', () => {
  it('of a source: the first is noted at once, with its time', async () => {
    const { notes, written, time } = setUp()
    notes.taken('stripe')
    await notes.written()
    expect(written).toEqual([['stripe', time.clock.now()]])
    expect(time.pending()).toBe(0)
  })

  it('a thousand in ten minutes are one note', async () => {
    const { notes, sources, time } = setUp()
    for (let call = 0; call < 1000; call++) {
      notes.taken('stripe')
      time.pass((10 * MINUTE) / 1000 - 1)
    }
    await notes.written()
    expect(sources()).toEqual(['stripe'])
  })

  it('the first after ten minutes is noted again', async () => {
    const { notes, sources, time } = setUp()
    notes.taken('stripe')
    time.pass(10 * MINUTE - 1)
    notes.taken('stripe')
    expect(sources()).toHaveLength(1)
    time.pass(1)
    notes.taken('stripe')
    expect(sources()).toHaveLength(2)
  })

  it('each source has its own note', () => {
    const { notes, sources } = setUp()
    for (const source of ['stripe', 'github', 'stripe']) notes.taken(source)
    expect(sources()).toEqual(['stripe', 'github'])
  })

  it('one after the clock was set back by hours is noted', () => {
    const { notes, sources, time } = setUp()
    notes.taken('stripe')
    time.clock.advance(-600 * MINUTE)
    notes.taken('stripe')
    expect(sources()).toHaveLength(2)
  })
})

it('a failed note delays no answer, is logged, and is not tried again for ten minutes', async () => {
  const { notes, log, time } = setUp('down')
  notes.taken('stripe')
  await notes.written()
  time.pass(MINUTE)
  notes.taken('stripe')
  await notes.written()
  expect(log.of('source not noted')).toMatchObject([{ source: 'stripe' }])
})

it('an answer waits for a note half a second at most', async () => {
  const { notes, log, time } = setUp('hanging')
  notes.taken('stripe')
  const written = notes.written()
  time.pass(500)
  await written
  expect(log.of('source not noted')).toHaveLength(1)
})

describe('the time of a source is noted', () => {
  const heardOf = (decision: AuditDecision, source?: string) => {
    const heard: string[] = []
    const decided: AuditDecision[] = []
    const audit = hearingAudit(
      { decided: (each) => void decided.push(each) },
      { taken: (name) => void heard.push(name) },
      { has: (name) => name === 'stripe' },
    )
    audit.decided(decision, { source })
    expect(decided).toEqual([decision])
    return heard
  }

  it.each(['received', 'processed', 'duplicate', 'failed', 'dead'] as const)('for a call that is %s', (decision) => {
    expect(heardOf(decision, 'stripe')).toEqual(['stripe'])
  })

  it('for no refused call', () => {
    expect(heardOf('refused', 'stripe')).toEqual([])
  })

  it('only under a name that callers cannot invent', () => {
    expect(heardOf('processed', 'made-up')).toEqual([])
    expect(heardOf('processed')).toEqual([])
  })
})
