import { createHash } from 'node:crypto'
import { ServiceError } from '../../lib/errors.ts'
import { keyOf } from '../../lib/webhooks/place.ts'
import { proofOf } from '../../lib/webhooks/proof.ts'
import type { SampleMessage } from '../../lib/webhooks/sample.ts'
import type { VerifiedCall } from '../../lib/webhooks/source.ts'
import { type Catalog, KNOWN } from '../../lib/webhooks/sources/catalog.ts'
import { trustStored } from '../../lib/webhooks/verify.ts'

/** In place of an id that there is none of before the event is stored. */
export const NO_ID = 'no id'

/** The id under which the service will store an event, {@link NO_ID} if it will refuse the body, or only then make one. */
export function eventIdOf(
  name: string,
  { headers, body, proven }: SampleMessage & Pick<VerifiedCall, 'proven'>,
  { sourceOf }: Pick<Catalog, 'sourceOf'> = KNOWN,
): string {
  try {
    const { identity } = sourceOf(name).read({ body: trustStored(body), headers, proven })
    if (identity.rule === 'always-new') return NO_ID
    const payloadSha256 = createHash('sha256').update(body).digest('hex')
    const { contentSha256 } = identity
    return keyOf({ id: 0n, proof: proofOf(proven, identity.rule), payloadSha256, contentSha256 }, identity)
  } catch (error) {
    if (error instanceof ServiceError) return NO_ID
    throw error
  }
}
