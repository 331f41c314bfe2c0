import type { EndpointName } from './index.ts'
import { sample as replay } from './replay.ts'
import { sample as replaysCreate } from './replays-create.ts'
import type { Sample } from './sample.ts'
import { sample as usersCreate } from './users-create.ts'
import { sample as usersDelete } from './users-delete.ts'
import { sample as webhookEvent } from './webhook-event.ts'
import { sample as webhookEventPayload } from './webhook-event-payload.ts'
import { sample as webhookEventRetry } from './webhook-event-retry.ts'
import { sample as webhookEvents } from './webhook-events.ts'

/** The samples of endpoints that the path alone does not reach. */
export const SAMPLES: Readonly<Partial<Record<EndpointName, Sample>>> = {
  usersCreate,
  usersDelete,
  webhookEvents,
  webhookEvent,
  webhookEventPayload,
  webhookEventRetry,
  replaysCreate,
  replay,
}
