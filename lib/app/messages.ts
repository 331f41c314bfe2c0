import { snsPublisher } from '../adapters/aws/sns.ts'
import { MAXIMUM_BODY_BYTES, snsBroadcast } from '../adapters/fan-out/broadcast.ts'
import { type Environment, loadConfig } from '../runtime/config.ts'
import { clockIds } from '../runtime/ids.ts'
import { channelSettings } from '../runtime/settings/channels.ts'
import { messagesTopicSettings } from '../runtime/settings/stores.ts'
import { makeAccountStates } from './account-states.ts'
import { makeChanging } from './changing.ts'
import { clock } from './edge.ts'

/** For each of two tries. */
const CALL_MS = 3000

const settings = { ...messagesTopicSettings, STOMP_BODY_BYTES: channelSettings.STOMP_BODY_BYTES }

/** For admins who send messages to clients of the channels. */
export async function makeMessages(environment?: Environment) {
  const { MESSAGES_TOPIC_ARN, STOMP_BODY_BYTES } = loadConfig(settings, [], environment)
  return {
    ...(await makeChanging(environment)),
    accounts: makeAccountStates(environment),
    broadcast: snsBroadcast(snsPublisher(CALL_MS), MESSAGES_TOPIC_ARN),
    ids: clockIds(clock),
    maximumBytes: Math.min(STOMP_BODY_BYTES, MAXIMUM_BODY_BYTES),
  }
}
