import { describe, expect, it } from 'vitest'
import { announcingRetries } from '../../../lib/webhooks/announce-ends.ts'
import type { EventHead } from '../../../lib/webhooks/event.ts'
import type { RetryStore } from '../../../lib/webhooks/retry/worker.ts'
import type { Ending } from '../../../lib/work/worker.ts'
import { recordingAnnouncer } from '../../support/fakes/announcer.ts'
import { failedEvent } from '../../support/fakes/webhooks.ts'

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

describe('the user who ordered a retry receives its result', () => {
  const AT = new Date('2026-01-02T03:04:05.678Z')
  const RUNS: readonly [string, string, (store: RetryStore, ordered: EventHead) => Promise<unknown>][] = [
    ['processed', 'PROCESSED', (store, ordered) => store.finish(CLAIM, ordered, {}, AT)],
    ['failed permanently', 'FAILED', (store, ordered) => store.fail(CLAIM, ordered, { ...FAILURE, at: AT })],
    ['given up untried', 'FAILED', (store) => store.exhaust(CLAIM, AT, 'no')],
  ]

  async function toldAfter(run: (typeof RUNS)[number][2], orderedBy: string | undefined, kind: Ending['kind']) {
    const announcer = recordingAnnouncer()
    const ordered = failedEvent({ orderedBy })
    const inner = { ...endingWith({ kind }), claim: async () => ({ kind: 'refused', event: ordered }) as const }
    const store = announcingRetries(inner, announcer)
    await store.claim(CLAIM)
    await run(store, ordered)
    return announcer.told
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

  it('a released run, and a claimed event that is given up, tell nobody', async () => {
    const announcer = recordingAnnouncer()
    const store = announcingRetries(endingWith({ kind: 'written' }), announcer)
    await store.release(CLAIM, failedEvent({ orderedBy: 'id-1' }), AT)
    await store.claim(CLAIM)
    await store.exhaust(CLAIM, AT, 'no')
    expect(announcer.told).toEqual([])
  })

  it('forgets earlier refusals', async () => {
    const announcer = recordingAnnouncer()
    const claim: RetryStore['claim'] = async ({ eventId }) => ({
      kind: 'refused',
      event: failedEvent({ eventId, orderedBy: 'id-1' }),
    })
    const store = announcingRetries({ ...endingWith({ kind: 'written' }), claim }, announcer)
    for (let number = 0; number <= 100; number++) await store.claim({ ...CLAIM, eventId: `event-${number}` })
    for (const eventId of ['event-0', 'event-100', 'event-1']) await store.exhaust({ ...CLAIM, eventId }, AT, 'no')
    expect(announcer.told.map((told) => 'notice' in told && 'eventId' in told.notice && told.notice.eventId)).toEqual([
      'event-100',
      'event-1',
    ])
  })

  it('failed, with attempts left: not yet', async () => {
    const again = { ...FAILURE, nextRetryAt: AT }
    expect(await toldAfter((store, ordered) => store.fail(CLAIM, ordered, again), 'id-1', 'written')).toEqual([])
  })
})
