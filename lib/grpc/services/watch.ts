import type { MessageInitShape } from '@bufbuild/protobuf'
import type {
  WatchWebhookEventsRequest,
  WatchWebhookEventsResponseSchema,
} from '../../../proto/gen/gatehouse/v1/webhook_event_pb.ts'
import { type EventViewer, mayRead, readable } from '../../auth/keys/scope.ts'
import { eventWatch } from '../../contract/requests/event-watch.ts'
import { invalid } from '../../errors.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { EventChange } from '../../webhooks/live/change.ts'
import { WatchCursor } from '../../webhooks/live/cursor.ts'
import { filtered } from '../../webhooks/live/filtered.ts'
import { isWanted } from '../../webhooks/live/wanted.ts'
import type { Watch } from '../../webhooks/live/watch.ts'
import { type CallContext, callerOf } from '../call.ts'
import { given, readMessage, renaming } from '../request.ts'
import { changeOf, statusNames, WATCH_FIELDS } from './webhook-event-message.ts'

type Response = MessageInitShape<typeof WatchWebhookEventsResponseSchema>

/** Streams the changes that match the request and that the caller may read; while there are none, the cursor alone. */
export async function* watchWebhookEvents(
  watch: Watch,
  clock: Clock,
  request: WatchWebhookEventsRequest,
  call: CallContext,
): AsyncGenerator<Response> {
  const caller = callerOf(call)
  const wish = await renaming(WATCH_FIELDS, async () => wishOf(request, caller))
  const isScoped = caller.key?.sources !== undefined
  for await (const { change, cursor } of filtered({ watch, clock }, { ...wish, isScoped }, call.signal())) {
    yield { cursor, change: change ? { case: 'event', value: changeOf(change) } : { case: 'heartbeat', value: {} } }
  }
}

/** @throws ServiceError `VALIDATION_FAILED`, `KEY_OUT_OF_SCOPE` */
function wishOf({ statuses, source: from, resumeAfter }: WatchWebhookEventsRequest, caller: EventViewer) {
  const asked = { status: statusNames(statuses), source: given(from), cursor: given(resumeAfter) }
  const { status, source, cursor } = readMessage(eventWatch, asked)
  if (source !== undefined) readable(caller, { source })
  return {
    told: cursor === undefined ? undefined : progressAfter(cursor),
    isTold: (change: EventChange) => mayRead(caller, change.source) && isWanted(change, { source, status }),
  }
}

function progressAfter(cursor: string): WatchCursor {
  const progress = WatchCursor.read(cursor)
  if (progress) return progress
  throw invalid([{ path: ['cursor'], message: 'must be the cursor of a message of this stream' }], { cursor })
}
