import { asciiJson } from '../../runtime/message-text.ts'
import type { ChangeFeed } from '../../webhooks/live/change-feed.ts'
import type { PublishMessage } from '../aws/sns.ts'

/** Publishes each change as JSON. */
export function snsChangeFeed(publishMessage: PublishMessage, topicArn: string): ChangeFeed {
  return { publish: (change) => publishMessage(topicArn, asciiJson(change)) }
}
