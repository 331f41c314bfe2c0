import { dynamoMessageWriter } from '../adapters/dynamodb/messages.ts'
import { unavailable } from '../errors.ts'
import type { Broadcast } from '../messages/send.ts'
import { storeMessage } from '../messages/shared-bus.ts'
import { type Environment, loadConfig } from '../runtime/config.ts'
import { clockIds } from '../runtime/ids.ts'
import { channelSettings } from '../runtime/settings/channels.ts'
import { messagesStoreSettings } from '../runtime/settings/stores.ts'
import { makeAccountStates } from './account-states.ts'
import { makeChanging } from './changing.ts'
import { clock } from './edge.ts'

/** For each of two tries. */
const CALL_MS = 3000

const settings = { ...messagesStoreSettings, STOMP_BODY_BYTES: channelSettings.STOMP_BODY_BYTES }

/** For admins who send messages to clients of the channels. */
export async function makeMessages(environment?: Environment) {
  const { MESSAGES_TABLE, STOMP_BODY_BYTES } = loadConfig(settings, [], environment)
  const store = dynamoMessageWriter(MESSAGES_TABLE, CALL_MS)
  /** One that failed is tried once more: readers drop the repeat. */
  const broadcast: Broadcast = {
    async publish({ id, ...message }) {
      const send = () => storeMessage(store, clock, id, message)
      await send()
        .catch(send)
        .catch((cause) => {
          throw unavailable(cause)
        })
    },
  }
  return {
    ...(await makeChanging(environment)),
    accounts: makeAccountStates(environment),
    broadcast,
    ids: clockIds(clock),
    maximumBytes: STOMP_BODY_BYTES,
  }
}
