import { expect, it } from 'vitest'
import { ITEMS_AT_ONCE } from '../../lib/webhooks/place.ts'
import { partOf } from '../support/full-runs.ts'
import type { EventSpec } from './event-spec.ts'
import { FAULTS, type Fault } from './faults.ts'
import { HORIZON_SECONDS } from './sources.ts'
import { World } from './world.ts'

function spec(changes: Partial<EventSpec> = {}): EventSpec {
  return {
    id: 'event-0',
    source: 'rows',
    eventId: changes.id ?? 'event-0',
    content: changes.id ?? 'event-0',
    elements: 0,
    isHandedOver: false,
    failures: 0,
    isPoison: false,
    payment: { transactionId: 'transaction-0', status: 'COMPLETED' },
    sentAt: 0,
    repeatedAt: [],
    copies: 1,
    replayedAt: [],
    ...changes,
  }
}

/** An event without effects of its own. */
function bare(changes: Partial<EventSpec>): EventSpec {
  const { payment: _payment, ...plain } = spec(changes)
  return plain
}

function work(changes: Partial<EventSpec> = {}): EventSpec {
  return bare({ source: 'handed-over', isHandedOver: true, ...changes })
}

const REFUND = { transactionId: 'transaction-0', status: 'REFUNDED' } as const

const OTHER = { id: 'event-1', content: 'event-1', sentAt: 10 } as const
const TWICE_LATER = [HORIZON_SECONDS * 1000 + 10, HORIZON_SECONDS * 1000 + 20]
const LARGE = { elements: ITEMS_AT_ONCE + 1, isHandedOver: true } as const

const SCENARIOS: readonly (readonly [string, readonly EventSpec[]])[] = [
  ['a payment', [spec()]],
  ['a superseded payment', [spec({ payment: REFUND }), spec({ id: 'event-1', sentAt: 1000 })]],
  ['two parallel copies of a payment', [spec({ copies: 2 })]],
  ['a payment whose handler fails once', [spec({ failures: 1 })]],
  ['a payment whose handler always fails', [spec({ failures: 9 })]],
  ['deferred work', [work()]],
  ['deferred work that is retried under another id', [work({ replayedAt: [30_000] })]],
  ['deferred work whose handler fails twice', [work({ failures: 2 })]],
  ['deferred work that always kills its process', [work({ isPoison: true })]],
]

/** Too slow for every two faults, which docs/model/intake.pml goes through. */
const INTAKES: typeof SCENARIOS = [
  ['two parallel copies of unsigned news', [bare({ source: 'news', copies: 2 })]],
  ['an unsigned id with two contents', [bare({ source: 'unsigned' }), bare({ source: 'unsigned', ...OTHER })]],
  ['a content that is sent again after the end of its window', [bare({ source: 'nameless', repeatedAt: TWICE_LATER })]],
  ['a batch of the largest size for an intake', [bare({ source: 'batches', elements: ITEMS_AT_ONCE })]],
  ['a batch that a worker splits', [bare({ source: 'batches', ...LARGE })]],
]

function live(events: readonly EventSpec[], faultAt: (call: number) => Fault | undefined) {
  return new World({ seed: 1, weather: 'clear', events, faultAt }).run()
}

it.each([...SCENARIOS, ...INTAKES])('Q01 %s survives every fault at every single call', async (_, events) => {
  const { counts, violations: none } = await live(events, () => undefined)
  expect(none).toEqual([])
  const failed: string[] = []
  for (let at = 0; at < (counts['calls'] ?? 0); at++) {
    for (const fault of FAULTS) {
      const { violations } = await live(events, (call) => (call === at ? fault : undefined))
      if (violations.length > 0) failed.push(`${fault} at call ${at}: ${violations.join(', ')}`)
    }
  }
  expect(counts['calls']).toBeGreaterThan(0)
  expect(failed).toEqual([])
})

/** Every two calls among the first of a scenario, with every two faults. */
const PAIRS = Array.from({ length: 4 }, (_, first) => first).flatMap((first) =>
  Array.from({ length: 8 - first - 1 }, (_, index) => first + 1 + index).flatMap((second) =>
    FAULTS.flatMap((one) =>
      FAULTS.map(
        (other) =>
          new Map([
            [first, one],
            [second, other],
          ]),
      ),
    ),
  ),
)

it.each(SCENARIOS)('Q01 %s survives any two faults among its first calls', async (_, events) => {
  const failed: string[] = []
  for (const faults of partOf(PAIRS)) {
    const { violations } = await live(events, (call) => faults.get(call))
    if (violations.length > 0) failed.push(`${[...faults].join(' and ')}: ${violations.join(', ')}`)
  }
  expect(failed).toEqual([])
})
