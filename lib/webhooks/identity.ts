import type { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'

/** The sender's identity of an event. */
export interface EventIdentity {
  /** The id as the sender gave it; without one the body's bytes identify the event. */
  readonly eventId?: string | undefined
  /** False if the provider does not sign the id: the hash of the body then complements it. */
  readonly isIdSigned?: false | undefined
  readonly eventType: string
}

/** The id of an event that has none from its sender: the same content is the same event. */
export function fingerprint(source: string, ...content: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256').update(source).update('\0')
  for (const part of content) hash.update(part)
  return `sha256:${hash.digest('hex')}`
}
