import { describe, expect, it } from 'vitest'
import type { EventRow, Stored } from './rows.ts'
import type { Sent } from './traffic.ts'
import { isClean, judge, type Verdict } from './verdict.ts'

const MAX_ATTEMPTS = 1
const MESSAGE = { headers: {}, body: Buffer.from('{}') }

type Entry = EventRow['history'][number]

const entry = (status: Entry['status'], by: Entry['by']): Entry => ({ at: new Date(0), status, by })
const PROCESSED = [entry('PROCESSED', 'intake')]
const DEAD = [entry('FAILED', 'intake'), entry('RETRY', 'retry'), entry('FAILED', 'retry')]

const trace = { table: 'payments', key: 'tx' } as const
const paid: Sent = {
  source: 'payment',
  eventId: 'paid',
  message: MESSAGE,
  isDoomed: false,
  isAcknowledged: true,
  trace: { ...trace, status: 'COMPLETED', rank: 2 },
}
const failed: Sent = { ...paid, eventId: 'failed', trace: { ...trace, status: 'FAILED', rank: 1 } }
const doomed: Sent = { ...paid, eventId: 'doomed', isDoomed: true, trace: undefined }
const SENT = [paid, failed, doomed]

const processedRow = (eventId: string): EventRow => ({
  source: 'payment',
  eventId,
  status: 'PROCESSED',
  attempts: 0,
  dead: false,
  history: PROCESSED,
})
const deadRow: EventRow = { ...processedRow('doomed'), status: 'FAILED', attempts: 1, dead: true, history: DEAD }

const EVENTS = [processedRow('paid'), processedRow('failed'), deadRow]
const PAYMENTS = [{ key: 'tx', status: 'COMPLETED' }]
const SEEN = new Map([
  ['paid', 'PROCESSED'],
  ['failed', 'PROCESSED'],
  ['doomed', 'FAILED'],
])

interface World {
  readonly sent?: readonly Sent[]
  readonly stored?: Partial<Stored>
  readonly seen?: ReadonlyMap<string, string>
}

function judged({ sent = SENT, stored = {}, seen = SEEN }: World): Verdict {
  const all = { events: EVENTS, payments: PAYMENTS, orders: [], ...stored }
  return judge(sent, all, [{ name: 'STOMP', statuses: seen }], MAX_ATTEMPTS)
}

const withRow = (row: EventRow): World => ({
  stored: { events: [...EVENTS.filter(({ eventId }) => eventId !== row.eventId), row] },
})

describe('the verdict on a run', () => {
  it('is clean when every event is in its place', () => {
    expect(isClean(judged({}))).toBe(true)
  })

  it('does not count an event that nobody acknowledged', () => {
    const lost = { ...paid, eventId: 'never-acknowledged', isAcknowledged: false }
    expect(isClean(judged({ sent: [...SENT, lost] }))).toBe(true)
  })

  it.each<[keyof Verdict, string, World]>([
    ['lost', 'an acknowledged event that is not stored', { sent: [...SENT, { ...doomed, eventId: 'gone' }] }],
    [
      'doubled',
      'an event that was processed twice',
      withRow({ ...processedRow('paid'), history: [...PROCESSED, ...PROCESSED] }),
    ],
    ['doubled', 'an event that nobody sent', { stored: { events: [...EVENTS, processedRow('stranger')] } }],
    ['half', 'a processed event without its payment', { stored: { payments: [] } }],
    ['half', 'a payment without an event', { stored: { payments: [...PAYMENTS, { key: 'other', status: 'FAILED' }] } }],
    [
      'half',
      'a payment that a lower rank has overwritten',
      { stored: { payments: [{ key: 'tx', status: 'FAILED' }] } },
    ],
    ['half', 'an order without an event', { stored: { orders: [{ key: 'o', status: 'SHIPPED' }] } }],
    ['unfinished', 'an event that still runs', withRow({ ...deadRow, status: 'RETRY', dead: false })],
    ['unfinished', 'an event that waits', withRow({ ...deadRow, dead: false })],
    ['misjudged', 'a dead event that had a good payload', withRow({ ...deadRow, eventId: 'failed' })],
    ['misjudged', 'a processed event that had a bad one', withRow(processedRow('doomed'))],
    ['inconsistent', 'an event with too many attempts', withRow({ ...deadRow, attempts: 2 })],
    ['inconsistent', 'a dead event with attempts left', withRow({ ...deadRow, attempts: 0 })],
    [
      'inconsistent',
      'a move after the last one',
      withRow({ ...processedRow('paid'), history: [...PROCESSED, entry('RETRY', 'retry')] }),
    ],
    ['unseen', 'an event that a watcher was not told of', { seen: new Map([...SEEN].slice(1)) }],
    [
      'unseen',
      'an event that a watcher was told something older of',
      { seen: new Map([...SEEN, ['doomed', 'RETRY']]) },
    ],
  ])('finds as %s %s', (kind, _, world) => {
    expect(judged(world)[kind]).not.toEqual([])
  })
})
