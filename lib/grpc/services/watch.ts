import type { MessageInitShape } from '@bufbuild/protobuf'
import type {
  WatchWebhookEventsRequest,
  WatchWebhookEventsResponseSchema,
} from '../../../proto/gen/gatehouse/v1/webhook_event_pb.ts'
import { eventWatch } from '../../contract/requests/event-watch.ts'
import { invalid } from '../../errors.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { EventChange } from '../../webhooks/live/change-feed.ts'
import { WatchCursor } from '../../webhooks/live/cursor.ts'
import { QUIET_MS, type Watch } from '../../webhooks/live/watch.ts'
import type { CallContext } from '../call.ts'
import { given, readMessage, renaming } from '../request.ts'
import { changeOf, statusNames, WATCH_FIELDS } from './webhook-event-message.ts'

type Response = MessageInitShape<typeof WatchWebhookEventsResponseSchema>

/** Streams the changes that match the request; while there are none, the cursor alone. */
export async function* watchWebhookEvents(
  watch: Watch,
  clock: Clock,
  request: WatchWebhookEventsRequest,
  { signal }: CallContext,
): AsyncGenerator<Response> {
  const { told, isWanted } = await renaming(WATCH_FIELDS, async () => wishOf(request))
  let spokeAt = clock.now().getTime()
  for await (const { change, cursor } of watch(told, signal())) {
    const now = clock.now().getTime()
    const isNews = change !== undefined && isWanted(change)
    if (change && !isNews && now - spokeAt < QUIET_MS) continue
    spokeAt = now
    yield { cursor, change: isNews ? { case: 'event', value: changeOf(change) } : { case: 'heartbeat', value: {} } }
  }
}

/** @throws ServiceError `VALIDATION_FAILED` */
function wishOf({ statuses, source: from, resumeAfter }: WatchWebhookEventsRequest) {
  const asked = { status: statusNames(statuses), source: given(from), cursor: given(resumeAfter) }
  const { status, source, cursor } = readMessage(eventWatch, asked)
  return {
    told: cursor === undefined ? undefined : progressAfter(cursor),
    isWanted: (change: EventChange) =>
      (source === undefined || change.source === source) && (status?.some((name) => name === change.status) ?? true),
  }
}

function progressAfter(cursor: string): WatchCursor {
  const progress = WatchCursor.read(cursor)
  if (progress) return progress
  throw invalid([{ path: ['cursor'], message: 'must be the cursor of a message of this stream' }], { cursor })
}
