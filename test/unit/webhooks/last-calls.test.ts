import { describe, expect, it } from 'vitest'
import { unavailable } from '../../../lib/errors.ts'
import type { AuditDecision } from '../../../lib/webhooks/audit.ts'
import { type CallResult, createCallNotes, notingAudit } from '../../../lib/webhooks/last-calls.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { virtualTime } from '../../support/fakes/timers.ts'

const MINUTE = 60_000

function setUp(state: 'up' | 'down' | 'hanging' = 'up') {
  const time = virtualTime()
  const log = recordingLog()
  const written: [string, CallResult, Date][] = []
  const store = {
    async note(source: string, result: CallResult, at: Date) {
      if (state === 'hanging') return new Promise<void>(() => {})
      if (state === 'down') throw unavailable(new Error('the store is down'))
      written.push([source, result, at])
    },
  }
  const notes = createCallNotes({ store, clock: time.clock, timers: time.timers, log })
  return { time, log, notes, written }
}

describe('the calls of a process', () => {
  it('of a source: the first is noted at once, with its time', async () => {
    const { notes, written, time } = setUp()
    notes.note('stripe', 'accepted')
    await notes.written()
    expect(written).toEqual([['stripe', 'accepted', time.clock.now()]])
    expect(time.pending()).toBe(0)
  })

  it('a thousand in ten minutes are one note, and the first after them another one', () => {
    const { notes, written, time } = setUp()
    for (let call = 0; call < 1000; call++) {
      notes.note('stripe', 'accepted')
      time.pass((10 * MINUTE) / 1000)
    }
    expect(written).toHaveLength(1)
    notes.note('stripe', 'accepted')
    expect(written).toHaveLength(2)
  })

  it('that are refused and others that are accepted do not hide each other, nor do sources', () => {
    const { notes, written } = setUp()
    for (const source of ['stripe', 'github', 'stripe'])
      for (const result of ['refused', 'accepted', 'refused'] as const) notes.note(source, result)
    expect(written.map(([source, result]) => `${source} ${result}`)).toEqual([
      'stripe refused',
      'stripe accepted',
      'github refused',
      'github accepted',
    ])
  })

  it('one after the clock was set back by hours is noted', () => {
    const { notes, written, time } = setUp()
    notes.note('stripe', 'accepted')
    time.clock.advance(-600 * MINUTE)
    notes.note('stripe', 'accepted')
    expect(written).toHaveLength(2)
  })
})

it('a failed note delays no answer, is logged, and is not tried again for ten minutes', async () => {
  const { notes, log, time } = setUp('down')
  notes.note('stripe', 'accepted')
  await notes.written()
  time.pass(MINUTE)
  notes.note('stripe', 'accepted')
  await notes.written()
  expect(log.of('source not noted')).toMatchObject([{ source: 'stripe' }])
})

it('an answer waits for a note half a second at most', async () => {
  const { notes, log, time } = setUp('hanging')
  notes.note('stripe', 'accepted')
  const written = notes.written()
  time.pass(500)
  await written
  expect(log.of('source not noted')).toHaveLength(1)
})

describe('a decision on a call', () => {
  const notedOf = (decision: AuditDecision, source?: string) => {
    const noted: string[] = []
    const decided: AuditDecision[] = []
    const audit = notingAudit(
      { decided: (each) => void decided.push(each) },
      { note: (...call) => void noted.push(call.join(' ')) },
      { current: new Set(['stripe']) },
    )
    audit.decided(decision, { source })
    expect(decided).toEqual([decision])
    return noted
  }

  it.each(['received', 'processed', 'duplicate', 'failed', 'dead'] as const)('%s is noted as accepted', (decision) => {
    expect(notedOf(decision, 'stripe')).toEqual(['stripe accepted'])
  })

  it('refused is noted as refused, and no decision of an operator is noted', () => {
    expect(notedOf('refused', 'stripe')).toEqual(['stripe refused'])
    expect(notedOf('replayed', 'stripe')).toEqual([])
  })

  it('is noted only under a name that callers cannot invent', () => {
    expect(notedOf('processed', 'made-up')).toEqual([])
    expect(notedOf('refused', 'made-up')).toEqual([])
    expect(notedOf('processed')).toEqual([])
  })
})
