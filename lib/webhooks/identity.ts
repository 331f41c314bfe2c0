import type { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'

/** What an event is called by the one who sends it. */
export interface EventIdentity {
  /** As the sender gave it; without one the bytes themselves identify the event. */
  readonly eventId?: string | undefined
  /** False where the provider does not sign the id: the body's hash backs it then. */
  readonly isIdSigned?: false | undefined
  readonly eventType: string
}

/** The id of an event whose sender gave it none: the same content is the same event. */
export function fingerprint(source: string, ...content: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256').update(source).update('\0')
  for (const part of content) hash.update(part)
  return `sha256:${hash.digest('hex')}`
}
