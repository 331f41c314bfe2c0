import { ServiceError } from '../../lib/errors.ts'
import { fingerprint } from '../../lib/webhooks/identity.ts'
import type { SampleMessage } from '../../lib/webhooks/sample.ts'
import type { VerifiedCall } from '../../lib/webhooks/source.ts'
import { sourceOf } from '../../lib/webhooks/sources/by-name.ts'
import { trustStored } from '../../lib/webhooks/verify.ts'

/** The id under which the service will store an event; `no id` for a body that it will refuse. */
export function eventIdOf(
  name: string,
  { headers, body, signed }: SampleMessage & Pick<VerifiedCall, 'signed'>,
): string {
  try {
    const { identity } = sourceOf(name).read({ body: trustStored(body), headers, signed })
    return identity.eventId ?? fingerprint(name, body)
  } catch (error) {
    if (error instanceof ServiceError) return 'no id'
    throw error
  }
}
