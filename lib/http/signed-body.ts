import { admit, type Intake } from '../webhooks/admit.ts'
import { auditRefusal } from '../webhooks/audit.ts'
import type { Delivery, EventSource } from '../webhooks/source.ts'
import type { Reader } from './endpoint.ts'
import { type HttpEvent, readBody } from './message.ts'

/** What is kept of every webhook's headers, beside what its source wants; credentials, tokens and signatures never are. */
const KEPT_HEADERS = ['content-type', 'user-agent', 'x-request-id']

/**
 * Reads a webhook: its bytes as they were sent, from a sender whose signature holds.
 * @throws ServiceError `MEDIA_TYPE_UNSUPPORTED`, `PAYLOAD_TOO_LARGE`, or as the source's scheme refuses
 */
export function signed(source: EventSource, intake: Intake): Reader<Delivery> {
  return (event) => {
    const body = auditRefusal(intake.audit, source.name, () => readBody(event, intake.maxBodyBytes))
    return { body: admit(source, { headers: event.headers, body }, intake), headers: keptOf(event, source.keptHeaders) }
  }
}

function keptOf({ headers }: HttpEvent, others: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    [...KEPT_HEADERS, ...others].flatMap((name) => {
      const value = headers[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
