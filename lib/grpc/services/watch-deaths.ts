import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { WatchDeadDeliveriesResponseSchema } from '../../../proto/gen/gatehouse/v1/destination_pb.ts'
import { fromLocalDateTime } from '../../runtime/local-date-time.ts'
import type { Cancel, Timers } from '../../runtime/timers.ts'
import type { Announcement } from '../../webhooks/live/announcement.ts'
import { createBacklog } from '../../webhooks/live/backlog.ts'
import type { DeadDelivery } from '../../webhooks/live/dead-delivery.ts'
import { QUIET_MS } from '../../webhooks/live/watch.ts'

type Response = MessageInitShape<typeof WatchDeadDeliveriesResponseSchema>

export interface DeathParts {
  onAnnouncement(listener: (announcement: Announcement) => void): Cancel
  readonly timers: Timers
}

const MAXIMUM_WAITING = 1000

/**
 * Streams the deliveries that are given up from now on; a heartbeat at once, and while there are none.
 * @throws ServiceError `UNAVAILABLE` if the caller falls behind
 */
export async function* watchDeadDeliveries(
  { onAnnouncement, timers }: DeathParts,
  signal: AbortSignal,
): AsyncGenerator<Response> {
  const backlog = createBacklog<DeadDelivery>(MAXIMUM_WAITING, timers, signal)
  const ignore = onAnnouncement((told) => {
    if (told.kind === 'delivery') backlog.add(told)
  })
  try {
    for (let isQuiet = true; !signal.aborted; ) {
      const delivery = backlog.next()
      if (delivery) yield { notice: { case: 'delivery', value: deathOf(delivery) } }
      else if (isQuiet) yield { notice: { case: 'heartbeat', value: {} } }
      isQuiet = !delivery && (await backlog.isSilent(QUIET_MS))
    }
  } finally {
    ignore()
  }
}

function deathOf({ source, eventId, destination, answer, at }: DeadDelivery) {
  const date = fromLocalDateTime(at)
  return { source, eventId, destination, answer, ...(date && { at: timestampFromDate(date) }) }
}
