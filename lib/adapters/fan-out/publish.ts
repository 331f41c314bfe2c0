import type { AsciiJson } from '../../runtime/message-text.ts'
import type { FanOutClients } from './engine.ts'
import { ORIGIN } from './publication.ts'

/**
 * Sends a text to all instances except its sender.
 * @throws the error that stopped it, or an error after the time limit
 */
export function publish({ publishMessage, topics }: FanOutClients, origin: string, text: AsciiJson): Promise<void> {
  return publishMessage(topics.messages, text, { [ORIGIN]: origin })
}
