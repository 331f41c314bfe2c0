import { dynamoMessageDesk } from '../adapters/dynamodb/messages.ts'
import type { Broadcast } from '../messages/send.ts'
import { storeMessage } from '../messages/shared-bus.ts'
import { loadConfig } from '../runtime/config.ts'
import { clockIds } from '../runtime/ids.ts'
import { channelSettings } from '../runtime/settings/channels.ts'
import { messagesStoreSettings } from '../runtime/settings/stores.ts'
import { makeChanging } from './changing.ts'
import { clock } from './edge.ts'
import { makeAccountStates } from './sessions.ts'
import { documents } from './stores.ts'

const settings = { ...messagesStoreSettings, STOMP_BODY_BYTES: channelSettings.STOMP_BODY_BYTES }

/** For admins who send messages to clients of the channels. */
export async function makeMessages() {
  const { MESSAGES_TABLE, STOMP_BODY_BYTES } = loadConfig(settings)
  const store = dynamoMessageDesk(documents(), MESSAGES_TABLE)
  const broadcast: Broadcast = { publish: ({ id, ...message }) => storeMessage(store, clock, id, message) }
  return {
    ...(await makeChanging()),
    accounts: makeAccountStates(),
    broadcast,
    ids: clockIds(clock),
    maximumBytes: STOMP_BODY_BYTES,
  }
}
