import type { SendMessageCommand } from '@aws-sdk/client-sqs'
import { describe, expect, it } from 'vitest'
import { type SqsSender, sqsRetryQueue } from '../../../lib/adapters/sqs/retry-queue.ts'
import { ProcessingError } from '../../../lib/webhooks/apply.ts'
import { logAudit } from '../../../lib/webhooks/audit.ts'
import { createInbox } from '../../../lib/webhooks/inbox.ts'
import { scanEvents } from '../../../lib/webhooks/retry/scan.ts'
import { createRetries } from '../../../lib/webhooks/retry/worker.ts'
import type { EventSource, Plan } from '../../../lib/webhooks/source.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { countingIds } from '../../support/fakes/ids.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { MemoryStore } from '../../support/fakes/memory-store.ts'
import { recordingMetrics } from '../../support/fakes/metrics.ts'
import { bodyOf, handedOverSource, MINUTE, POLICY, sourceOf } from '../../support/fakes/webhooks.ts'

const SECOND = 1000
const KEY = { source: 'test', eventId: 'event-1' }

/** Intake, queue, worker and scan on one clock; the queue delivers to the second. */
async function setUp(source: (plan: () => Plan) => EventSource, plan: () => Plan, reaches: 'all' | 'scan') {
  const store = new MemoryStore()
  const clock = fixedClock()
  const runs: number[] = []
  const delays: number[] = []
  const messages: { readonly at: number; readonly body: string }[] = []
  const queueOf = (isHeard: boolean) =>
    sqsRetryQueue(
      {
        send: async ({ input }: SendMessageCommand) => {
          const { DelaySeconds: delay = 0, MessageBody: body = '' } = input
          delays.push(delay)
          if (isHeard) messages.push({ at: clock.now().getTime() + delay * SECOND, body })
        },
      } as unknown as SqsSender,
      'queue',
    )
  const timed = source(() => {
    runs.push((clock.now().getTime() - START.getTime()) / MINUTE)
    return plan()
  })
  const log = recordingLog()
  const parts = { policy: POLICY, clock, ids: countingIds(), audit: logAudit(log), metrics: recordingMetrics(), log }
  const quiet = queueOf(reaches === 'all')
  const inbox = createInbox({ ...parts, events: store.eventStore, queue: quiet })
  const worker = createRetries({
    ...parts,
    store: store.retryStore,
    queue: quiet,
    sourceOf: () => timed,
  })
  await inbox.accept(timed, { body: bodyOf('event-1'), headers: { 'x-id': 'event-1' } }).catch(() => undefined)

  async function deliver(): Promise<void> {
    const due = messages.filter(({ at }) => at <= clock.now().getTime())
    for (const message of due) {
      messages.splice(messages.indexOf(message), 1)
      await worker.receive(message.body)
    }
  }

  return {
    find: () => store.find(KEY),
    runs,
    delays,
    /** Goes on second by second, with a scan every five minutes, the first one after `phase` seconds. */
    async live(minutes: number, phase: number | undefined) {
      const scan = { store: store.retryStore, due: store.dueEvents, queue: queueOf(true), ...parts }
      for (let second = 0; second <= minutes * 60; second++) {
        if (phase !== undefined && second % 300 === phase) await scanEvents(scan, new Date('2030-01-01'))
        await deliver()
        clock.advance(SECOND)
      }
    },
  }
}

const broken = (): Plan => {
  throw new ProcessingError('a rule was broken')
}
const well = (): Plan => ({ outcome: 'well' })

describe('Q08 the timetable of an event whose handler always fails', () => {
  it('is receivedAt + 5, 15 and 60 minutes, to the second, in hops of at most 900 seconds', async () => {
    const { runs, delays, find, live } = await setUp(sourceOf, broken, 'all')
    await live(120, undefined)
    expect(runs).toEqual([0, 5, 15, 60])
    expect(delays).toEqual([300, 600, 900, 900, 900])
    expect(find()).toMatchObject({ status: 'FAILED', dead: true, attempts: 3 })
  })

  it('is the same for deferred work, after a first run at once', async () => {
    const { runs, delays, find, live } = await setUp(handedOverSource, broken, 'all')
    await live(120, undefined)
    expect(runs).toEqual([0, 5, 15, 60])
    expect(delays).toEqual([0, 300, 600, 900, 900, 900])
    expect(find()).toMatchObject({ status: 'FAILED', dead: true, attempts: 3 })
  })

  it('is the same with a scan at any time, which adds hints and no run', async () => {
    for (const phase of [0, 1, 150, 299]) {
      const { runs, live } = await setUp(sourceOf, broken, 'all')
      await live(120, phase)
      expect(runs).toEqual([0, 5, 15, 60])
    }
  })
})

describe('Q02 without every message except those of the scan', () => {
  it.each([0, 1, 60, 150, 299])(
    'each run starts within a scan interval, with a scan that is %i seconds late',
    async (phase) => {
      const { runs, find, live } = await setUp(sourceOf, broken, 'scan')
      await live(120, phase)
      expect(runs).toHaveLength(4)
      for (const [index, due] of [0, 5, 15, 60].entries()) {
        expect(runs[index]).toBeGreaterThanOrEqual(due)
        expect(runs[index]).toBeLessThanOrEqual(due + 5)
      }
      expect(find()).toMatchObject({ status: 'FAILED', dead: true, attempts: 3 })
    },
  )

  it('deferred work is processed within a scan interval', async () => {
    const { runs, find, live } = await setUp(handedOverSource, well, 'scan')
    await live(6, 299)
    expect(runs).toEqual([299 / 60])
    expect(find()).toMatchObject({ status: 'PROCESSED', outcome: 'well', attempts: 0 })
  })
})
