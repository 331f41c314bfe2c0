import { describe, expect, it } from 'vitest'
import type { EventHead } from '../../../lib/webhooks/event.ts'
import { announcingRetries } from '../../../lib/webhooks/live/announcement.ts'
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
function endingWith(ending: Ending, event = failedEvent()): RetryStore {
  return {
    claim: async () => ({ kind: 'claimed', event, body }),
    finish: async () => ending,
    writeItems: async () => {},
    fail: async () => ending,
    exhaust: async () => (ending.kind === 'written' ? { ...ending, event } : ending),
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
    const ordered = failedEvent({ orderedBy, dead: true, errorMessage: 'no' })
    await run(announcingRetries(endingWith({ kind }, ordered), announcer), ordered)
    return announcer.told
  }

  it.each(RUNS)('%s: after it was written', async (_, status, run) => {
    const at = '2026-01-02T03:04:05.678'
    const notice = { type: 'retry-finished', source: 'test', eventId: 'event-1', status, at }
    const failure = { kind: 'event', source: 'test', eventId: 'event-1', reason: 'no' }
    const order = { kind: 'order', orderedBy: 'id-1', notice }
    expect(await toldAfter(run, 'id-1', 'written')).toEqual(status === 'FAILED' ? [failure, order] : [order])
    expect(await toldAfter(run, 'id-1', 'lost')).toEqual([])
  })

  it.each(RUNS)('%s: no notice, if the row names no account, as in older versions', async (_, _status, run) => {
    expect((await toldAfter(run, undefined, 'written')).filter(({ kind }) => kind === 'order')).toEqual([])
  })

  it('a released run tells nobody', async () => {
    const announcer = recordingAnnouncer()
    const store = announcingRetries(endingWith({ kind: 'written' }), announcer)
    await store.release(CLAIM, failedEvent({ orderedBy: 'id-1' }), AT)
    expect(announcer.told).toEqual([])
  })

  it('failed, with attempts left: not yet', async () => {
    const again = { ...FAILURE, nextRetryAt: AT }
    expect(await toldAfter((store, ordered) => store.fail(CLAIM, ordered, again), 'id-1', 'written')).toEqual([])
  })
})
