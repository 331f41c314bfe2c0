import { sampleRequest as accountPassword } from './account-password.ts'
import { sampleRequest as accountSessionsDelete } from './account-sessions-delete.ts'
import { sampleRequest as destinationDeliveries } from './destination-deliveries.ts'
import { sampleRequest as destinationDisable } from './destination-disable.ts'
import { sampleRequest as destinationEnable } from './destination-enable.ts'
import { sampleRequest as destinationTest } from './destination-test.ts'
import type { EndpointName } from './index.ts'
import { sampleRequest as keysCreate } from './keys-create.ts'
import { sampleRequest as keysDelete } from './keys-delete.ts'
import { sampleRequest as liveTicket } from './live-ticket.ts'
import { sampleRequest as messagesCreate } from './messages-create.ts'
import { sampleRequest as order } from './order.ts'
import { sampleRequest as orders } from './orders.ts'
import { sampleRequest as passkeyRegistrationOptions } from './passkey-registration-options.ts'
import { sampleRequest as passkeysCreate } from './passkeys-create.ts'
import { sampleRequest as passkeysDelete } from './passkeys-delete.ts'
import { sampleRequest as payment } from './payment.ts'
import { sampleRequest as payments } from './payments.ts'
import { sampleRequest as replay } from './replay.ts'
import { sampleRequest as replays } from './replays.ts'
import { sampleRequest as replaysCreate } from './replays-create.ts'
import type { SampleRequest } from './sample-request.ts'
import { sampleRequest as user } from './user.ts'
import { sampleRequest as userSessions } from './user-sessions.ts'
import { sampleRequest as userSessionsDelete } from './user-sessions-delete.ts'
import { sampleRequest as users } from './users.ts'
import { sampleRequest as usersCreate } from './users-create.ts'
import { sampleRequest as usersDelete } from './users-delete.ts'
import { sampleRequest as usersUpdate } from './users-update.ts'
import { sampleRequest as webhookCounts } from './webhook-counts.ts'
import { sampleRequest as webhookEvent } from './webhook-event.ts'
import { sampleRequest as webhookEventDeliveries } from './webhook-event-deliveries.ts'
import { sampleRequest as webhookEventDeliveryRetry } from './webhook-event-delivery-retry.ts'
import { sampleRequest as webhookEventPayload } from './webhook-event-payload.ts'
import { sampleRequest as webhookEventPayloadDelete } from './webhook-event-payload-delete.ts'
import { sampleRequest as webhookEventRetry } from './webhook-event-retry.ts'
import { sampleRequest as webhookEvents } from './webhook-events.ts'
import { sampleRequest as webhookRefusals } from './webhook-refusals.ts'

/** The samples of endpoints that need more than a path. */
export const SAMPLE_REQUESTS: Readonly<Partial<Record<EndpointName, SampleRequest>>> = {
  users,
  usersCreate,
  user,
  usersUpdate,
  usersDelete,
  userSessions,
  userSessionsDelete,
  accountPassword,
  accountSessionsDelete,
  liveTicket,
  passkeyRegistrationOptions,
  passkeysCreate,
  passkeysDelete,
  keysCreate,
  keysDelete,
  messagesCreate,
  webhookCounts,
  webhookEvents,
  webhookEvent,
  webhookEventPayload,
  webhookEventPayloadDelete,
  webhookEventRetry,
  webhookEventDeliveries,
  webhookEventDeliveryRetry,
  webhookRefusals,
  replays,
  replaysCreate,
  replay,
  payments,
  payment,
  orders,
  order,
  destinationDeliveries,
  destinationEnable,
  destinationDisable,
  destinationTest,
}
