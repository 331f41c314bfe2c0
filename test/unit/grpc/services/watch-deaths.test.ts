import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { expect, it } from 'vitest'
import { watchDeadDeliveries } from '../../../../lib/grpc/services/watch-deaths.ts'
import type { Announcement } from '../../../../lib/webhooks/live/announcement.ts'
import { deadDelivery } from '../../../../lib/webhooks/live/dead-delivery.ts'
import { QUIET_MS } from '../../../../lib/webhooks/live/watch.ts'
import type { WatchDeadDeliveriesResponseSchema } from '../../../../proto/gen/gatehouse/v1/destination_pb.ts'
import { START } from '../../../support/fakes/clock.ts'
import { virtualTime } from '../../../support/fakes/timers.ts'
import { settle } from '../../../support/watch-world.ts'

const KEY = { source: 'stripe', eventId: 'evt_1', destination: 'crm' }
const DEATH = deadDelivery(KEY, 'HTTP 503', START)
const TOLD = { notice: { case: 'delivery', value: { ...KEY, answer: 'HTTP 503', at: timestampFromDate(START) } } }
const HEARTBEAT = { notice: { case: 'heartbeat', value: {} } }

/** A call that is under way, and what it has been told. */
function open() {
  const time = virtualTime()
  const abort = new AbortController()
  const listeners = new Set<(announcement: Announcement) => void>()
  const onAnnouncement = (listener: (announcement: Announcement) => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const said: MessageInitShape<typeof WatchDeadDeliveriesResponseSchema>[] = []
  async function run(): Promise<void> {
    for await (const each of watchDeadDeliveries({ onAnnouncement, timers: time.timers }, abort.signal)) said.push(each)
  }
  const tell = (announcement: Announcement) => listeners.forEach((listener) => void listener(announcement))
  return { time, said, ended: run(), tell, listeners, cancel: () => abort.abort() }
}

it('a watcher receives a heartbeat at once, then each delivery that is given up', async () => {
  const { said, tell } = open()
  await settle()
  expect(said).toEqual([HEARTBEAT])
  tell(DEATH)
  tell(DEATH)
  await settle()
  expect(said).toEqual([HEARTBEAT, TOLD, TOLD])
})

it('a watcher of deliveries receives nothing of an ordered run', async () => {
  const { said, tell } = open()
  await settle()
  const status = 'PROCESSED'
  const notice = { type: 'retry-finished', source: 'stripe', eventId: 'evt_1', status, at: 'now' } as const
  tell({ kind: 'order', orderedBy: 'id-1', notice })
  await settle()
  expect(said).toEqual([HEARTBEAT])
})

it('heartbeats arrive while no delivery is given up', async () => {
  const { said, time } = open()
  await settle()
  time.pass(QUIET_MS)
  await settle()
  expect(said).toEqual([HEARTBEAT, HEARTBEAT])
})

it('a watcher that cancels receives no more messages', async () => {
  const { ended, cancel, listeners } = open()
  await settle()
  cancel()
  await ended
  expect(listeners.size).toBe(0)
})

it('a watcher that is too slow is disconnected', async () => {
  const { ended, tell } = open()
  for (let count = 0; count < 1001; count++) tell(DEATH)
  await expect(ended).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})
