import type { SignedRequest, TestEvent } from '../../lib/contract/console.ts'
import type { LocalRun } from '../local-run.ts'
import { credentialsOf } from '../senders/credentials.ts'
import { eventIdOf } from '../senders/event-id.ts'
import { plannedMessages } from '../senders/plan.ts'
import { prove } from '../senders/prove.ts'
import { senderOf } from '../senders/table.ts'
import { StartError } from '../start-error.ts'

/** One event, as it is and for the local run. */
const PLAIN = { settings: [], count: 1, copies: 1, resend: undefined, isForged: false, age: 0, url: undefined } as const

/**
 * What a sender sends for an order, signed at this moment: the event, and one that contradicts it if that is to fail.
 * @throws StartError for somebody whom the run cannot sign as
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
    requests.push({
      source: name,
      eventId: eventIdOf(name, call),
      expected: status,
      method: call.method,
      path,
      headers: call.headers,
      body: call.body.toString(),
    })
  }
  return requests
}
