import type { SignedRequest, TestEvent } from '../../lib/contract/console.ts'
import { KNOWN } from '../../lib/webhooks/sources/catalog.ts'
import type { LocalRun } from '../local-run.ts'
import { credentialsOf } from '../senders/credentials.ts'
import { eventIdOf, NO_ID } from '../senders/event-id.ts'
import { plannedMessages } from '../senders/plan.ts'
import { prove } from '../senders/prove.ts'
import { senderOf } from '../senders/table.ts'
import { StartError } from '../start-error.ts'

/** One normal event, for the local run. */
const PLAIN = {
  sources: KNOWN,
  settings: [],
  count: 1,
  copies: 1,
  resend: undefined,
  isForged: false,
  age: 0,
  url: undefined,
  json: false,
} as const

/**
 * The requests for an order, signed now: the event, and before it one that contradicts it if processing has to fail.
 * @throws StartError for a sender whose credentials the run does not have
 */
export async function signedRequests(
  { source: name, event, fails }: TestEvent,
  run: LocalRun,
): Promise<readonly SignedRequest[]> {
  const sender = senderOf(name)
  if (!sender) throw new StartError(`There is no sender ${name}.`)
  const credentials = credentialsOf(name, run)
  const failsAt = fails ? sender.transaction?.path.split('.') : undefined
  const { href: url, pathname: path } = new URL(`/webhooks/${name}`, run.address)
  const requests: SignedRequest[] = []
  for await (const { message, status } of plannedMessages({ ...PLAIN, name, sender, event, failsAt }, run)) {
    const call = prove(message, { name, sender, credentials, url, signedAt: new Date() })
    const eventId = eventIdOf(name, call)
    requests.push({
      source: name,
      eventId: eventId === NO_ID ? null : eventId,
      expected: status,
      method: call.method,
      path,
      headers: call.headers,
      body: call.body.toString(),
    })
  }
  return requests
}
