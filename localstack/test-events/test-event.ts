import * as z from 'zod/mini'
import { canSignAs, type Keyring } from '../senders/credentials.ts'
import { senderOf } from '../senders/table.ts'

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
