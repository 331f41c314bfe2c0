import * as z from 'zod/mini'
import type { LocalSender, SignedRequest, TestEvent } from '../../lib/contract/console.ts'
import { StartError } from '../errors.ts'
import type { LocalRun } from '../local-run.ts'
import { plannedMessages } from '../senders/message.ts'
import { eventIdOf, NO_ID, prove } from '../senders/prove.ts'
import { canSignAs, credentialsOf, type Keyring } from '../senders/signers.ts'
import { SENDERS, senderOf } from '../senders/table.ts'

const failingOf = (source: string): readonly string[] => senderOf(source)?.transaction?.events ?? []

/**
 * The schema of an order for a webhook: the run must be able to sign as the sender, and the sender must know the event.
 */
export function testEventFor(run: Keyring) {
  function eventsOf(source: string): readonly string[] {
    const sender = senderOf(source)
    return sender && canSignAs(source, run) ? sender.events : []
  }

  return z
    .strictObject({
      source: z.string('must be the name of a sender'),
      event: z.string('must be an event of the sender'),
      fails: z._default(z.boolean('must be true or false'), false),
    })
    .check(
      z.refine(({ source, event }) => eventsOf(source).includes(event), {
        path: ['event'],
        error: 'must be an event of the sender',
      }),
      z.refine(({ source, event, fails }) => !fails || failingOf(source).includes(event), {
        path: ['fails'],
        error: 'needs an event about a payment',
      }),
    )
}

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
  for await (const { message, status } of plannedMessages({
    name,
    sender,
    event,
    failsAt,
    settings: [],
    count: 1,
    age: 0,
  })) {
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

/** The senders that a run can sign as, by name. */
export function offeredSenders(run: Keyring): readonly LocalSender[] {
  return Object.entries(SENDERS)
    .filter(([name]) => canSignAs(name, run))
    .map(([name, { events, transaction }]) => ({ name, events, failing: transaction?.events ?? [] }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}
