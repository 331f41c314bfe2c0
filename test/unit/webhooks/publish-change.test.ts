import { describe, expect, it } from 'vitest'
import { unavailable } from '../../../lib/errors.ts'
import { type Conflict, ProcessingError } from '../../../lib/webhooks/apply.ts'
import { logAudit } from '../../../lib/webhooks/audit.ts'
import type { EventHead } from '../../../lib/webhooks/event.ts'
import type { EventStore, InsertResult } from '../../../lib/webhooks/place.ts'
import { publishingInserts, publishingRetries } from '../../../lib/webhooks/publish-change.ts'
import { createRetries, type Ending, type RetryStore } from '../../../lib/webhooks/retry/worker.ts'
import type { Plan } from '../../../lib/webhooks/source.ts'
import { recordingAnnouncer } from '../../support/fakes/change-feed.ts'
import { fixedClock } from '../../support/fakes/clock.ts'
import { countingIds } from '../../support/fakes/ids.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { MemoryStore } from '../../support/fakes/memory-store.ts'
import { failedEvent, MINUTE, POLICY, sourceOf } from '../../support/fakes/webhooks.ts'

const BLOCKED: Conflict = {
  kind: 'blocked',
  by: 'payment',
  stored: { transactionId: 't', orderId: 'o', status: 'COMPLETED', currency: 'EUR' },
}
const present = (id: bigint): InsertResult => ({
  kind: 'present',
  event: failedEvent({ id, status: 'PROCESSED' }),
})

describe('a new event is announced exactly when it was written', () => {
  it.each<[string, InsertResult | Conflict, readonly string[]]>([
    ['inserted', { kind: 'inserted' }, ['test/event-1 FAILED']],
    ['a duplicate', present(1n), []],
    ['a known body under another id', { kind: 'repeated', last: { eventId: 'event-0', at: new Date(0) } }, []],
    ['written by an earlier try of the same call', present(7n), ['test/event-1 PROCESSED']],
    ['blocked by the payment', BLOCKED, []],
  ])('%s', async (_, insertion, announced) => {
    const publisher = recordingAnnouncer()
    const inserting = { insert: async () => insertion, noteConflict: async () => {}, forget: async () => {} }
    const store = publishingInserts(inserting, publisher)
    expect(await store.insert(failedEvent({ id: 7n }), {})).toBe(insertion)
    expect(publisher.announced).toEqual(announced)
  })

  it('not during an outage of the store', async () => {
    const publisher = recordingAnnouncer()
    const down: EventStore = {
      insert: () => Promise.reject(unavailable(new Error('down'))),
      noteConflict: async () => {},
      forget: async () => {},
    }
    await expect(publishingInserts(down, publisher).insert(failedEvent(), {})).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    })
    expect(publisher.announced).toEqual([])
  })
})

const CLAIM = {
  source: 'test',
  eventId: 'event-1',
  owner: 'me',
  now: new Date(0),
  leaseUntil: new Date(1),
  maxAttempts: 3,
  n: 0,
}

/** A store of which each ending is the given one. */
function endingWith(ending: Ending, claimed = true): RetryStore {
  const event = failedEvent()
  return {
    claim: async () => (claimed ? { kind: 'claimed', event, body } : { kind: 'refused', event }),
    finish: async () => ending,
    writeItems: async () => {},
    fail: async () => ending,
    exhaust: async () => ending,
    release: async () => ending,
  }
}

const body = async () => Buffer.from('')
const FAILURE = { at: new Date(0), errorMessage: 'no', nextRetryAt: undefined }

/** The endings of a run, and the status that each leaves behind. */
const ENDINGS: readonly [string, string, (store: RetryStore) => Promise<unknown>][] = [
  ['finish', 'PROCESSED', (store) => store.finish(CLAIM, failedEvent(), {}, new Date(0))],
  ['fail', 'FAILED', (store) => store.fail(CLAIM, failedEvent(), FAILURE)],
  ['exhaust', 'FAILED', (store) => store.exhaust(CLAIM, new Date(0), 'no')],
]

describe('the end of a run is announced exactly when it was written', () => {
  it.each(ENDINGS)('%s', async (_, status, end) => {
    for (const kind of ['written', 'lost'] as const) {
      const publisher = recordingAnnouncer()
      const store = publishingRetries(endingWith({ kind }, false), publisher)
      await store.claim(CLAIM)
      expect(publisher.announced).toEqual([])
      expect(await end(store)).toEqual({ kind })
      expect(publisher.announced).toEqual(kind === 'written' ? [`test/event-1 ${status}`] : [])
    }
  })

  it('a blocked finish announces nothing, and the one that succeeds does', async () => {
    const publisher = recordingAnnouncer()
    const results: (Ending | Conflict)[] = [BLOCKED, { kind: 'written' }]
    const inner = { ...endingWith({ kind: 'written' }), finish: async () => results.shift() ?? BLOCKED }
    const store = publishingRetries(inner, publisher)
    await store.claim(CLAIM)
    await store.finish(CLAIM, failedEvent(), {}, new Date(0))
    expect(publisher.announced).toEqual([])
    await store.finish(CLAIM, failedEvent(), {}, new Date(0))
    expect(publisher.announced).toEqual(['test/event-1 PROCESSED'])
  })

  it('a released run announces nothing', async () => {
    const publisher = recordingAnnouncer()
    await publishingRetries(endingWith({ kind: 'written' }), publisher).release(CLAIM, failedEvent(), new Date(0))
    expect(publisher.announced).toEqual([])
  })

  it('announces nothing for a claimed event, should it be given up', async () => {
    const publisher = recordingAnnouncer()
    const store = publishingRetries(endingWith({ kind: 'written' }), publisher)
    await store.claim(CLAIM)
    await store.exhaust(CLAIM, new Date(0), 'no')
    expect(publisher.announced).toEqual([])
  })

  it('announces nothing for an unknown event', async () => {
    const publisher = recordingAnnouncer()
    const inner = endingWith({ kind: 'written' })
    const store = publishingRetries({ ...inner, claim: async () => ({ kind: 'refused', event: undefined }) }, publisher)
    expect(await store.claim(CLAIM)).toEqual({ kind: 'refused', event: undefined })
    await store.exhaust(CLAIM, new Date(0), 'no')
    expect(publisher.announced).toEqual([])
  })

  it('forgets earlier refusals', async () => {
    const publisher = recordingAnnouncer()
    const inner = endingWith({ kind: 'written' })
    const claim: RetryStore['claim'] = async ({ eventId }) => ({ kind: 'refused', event: failedEvent({ eventId }) })
    const store = publishingRetries({ ...inner, claim }, publisher)
    for (let number = 0; number <= 100; number++) await store.claim({ ...CLAIM, eventId: `event-${number}` })
    await store.exhaust({ ...CLAIM, eventId: 'event-0' }, new Date(0), 'no')
    await store.exhaust({ ...CLAIM, eventId: 'event-100' }, new Date(0), 'no')
    await store.exhaust({ ...CLAIM, eventId: 'event-1' }, new Date(0), 'no')
    expect(publisher.announced).toEqual(['test/event-100 FAILED', 'test/event-1 FAILED'])
  })
})

describe('the user who ordered a retry receives its result', () => {
  const AT = new Date('2026-01-02T03:04:05.678Z')
  const RUNS: readonly [string, string, (store: RetryStore, ordered: EventHead) => Promise<unknown>][] = [
    ['processed', 'PROCESSED', (store, ordered) => store.finish(CLAIM, ordered, {}, AT)],
    ['failed permanently', 'FAILED', (store, ordered) => store.fail(CLAIM, ordered, { ...FAILURE, at: AT })],
    ['given up untried', 'FAILED', (store) => store.exhaust(CLAIM, AT, 'no')],
  ]

  async function toldAfter(run: (typeof RUNS)[number][2], orderedBy: string | undefined, kind: Ending['kind']) {
    const publisher = recordingAnnouncer()
    const ordered = failedEvent({ orderedBy })
    const inner = { ...endingWith({ kind }), claim: async () => ({ kind: 'refused', event: ordered }) as const }
    const store = publishingRetries(inner, publisher)
    await store.claim(CLAIM)
    await run(store, ordered)
    return publisher.told
  }

  it.each(RUNS)('%s: after it was written', async (_, status, run) => {
    const at = '2026-01-02T03:04:05.678'
    const notice = { type: 'retry-finished', source: 'test', eventId: 'event-1', status, at }
    expect(await toldAfter(run, 'id-1', 'written')).toEqual([{ kind: 'order', orderedBy: 'id-1', notice }])
    expect(await toldAfter(run, 'id-1', 'lost')).toEqual([])
  })

  it.each(RUNS)('%s: no notice, if the row names no account, as in older versions', async (_, _status, run) => {
    expect(await toldAfter(run, undefined, 'written')).toEqual([])
  })

  it('failed, with attempts left: not yet', async () => {
    const again = { ...FAILURE, nextRetryAt: AT }
    expect(await toldAfter((store, ordered) => store.fail(CLAIM, ordered, again), 'id-1', 'written')).toEqual([])
  })
})

describe('the retries of an event', () => {
  async function hintsOf(plan: () => Plan) {
    const memory = new MemoryStore()
    const clock = fixedClock()
    const log = recordingLog()
    const publisher = recordingAnnouncer()
    await publishingInserts(memory.eventStore, publisher).insert(failedEvent(), {})
    const retries = createRetries({
      store: publishingRetries(memory.retryStore, publisher),
      queue: memory.retryQueue,
      sourceOf: () => sourceOf(plan),
      policy: POLICY,
      clock,
      ids: countingIds(),
      audit: logAudit(log),
      log,
    })
    for (const n of [1, 2, 3, 4]) {
      clock.advance(60 * MINUTE)
      await retries.attempt({ source: 'test', eventId: 'event-1', n })
    }
    return publisher.announced
  }

  it('are announced one by one', async () => {
    const broken = () => {
      throw new ProcessingError('a rule was broken')
    }
    expect(await hintsOf(broken)).toEqual(Array.from({ length: 4 }, () => 'test/event-1 FAILED'))
  })

  it('are announced until the event is PROCESSED', async () => {
    expect(await hintsOf(() => ({}))).toEqual(['test/event-1 FAILED', 'test/event-1 PROCESSED'])
  })
})
