import type { FanOutClients } from './engine.ts'
import { ORIGIN } from './publication.ts'

/** Sends a text to all instances but the one that it is from. @throws whatever kept it, or because that took too long */
export function publish({ publishMessage, topics }: FanOutClients, origin: string, text: string): Promise<void> {
  return publishMessage(topics.messages, text, { [ORIGIN]: origin })
}
