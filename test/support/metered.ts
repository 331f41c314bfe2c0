import { randomUUID } from 'node:crypto'
import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb'
import { dynamoEventStore } from '../../lib/adapters/dynamodb/event-store.ts'
import type { Documents } from '../../lib/adapters/dynamodb/table.ts'
import { deliveringInserts } from '../../lib/deliver/delivering-inserts.ts'
import type { Destination } from '../../lib/deliver/destination.ts'
import { clockIds } from '../../lib/runtime/ids.ts'
import { systemClock } from '../../lib/runtime/time.ts'
import { logAudit } from '../../lib/webhooks/audit.ts'
import { createInbox } from '../../lib/webhooks/inbox.ts'
import type { EventSource, VerifiedCall } from '../../lib/webhooks/source.ts'
import { type EmulatedStore, TABLES } from './emulated-store.ts'
import { recordingLog } from './fakes/log.ts'
import { deliveryOf, POLICY } from './fakes/webhooks.ts'

interface Metered {
  readonly documents: Documents
  units(): number
}

/** Passes requests on and adds up what they cost, with their indexes. */
export function metered({ documents }: EmulatedStore): Metered {
  const consumed: ConsumedCapacity[] = []
  const send = async (command: { readonly input: object }) => {
    Object.assign(command.input, { ReturnConsumedCapacity: 'INDEXES' })
    const answer = (await documents.send(command as never)) as { ConsumedCapacity?: ConsumedCapacity[] }
    consumed.push(...[answer.ConsumedCapacity ?? []].flat())
    return answer
  }
  return {
    documents: { send } as Documents,
    units: () => consumed.reduce((sum, { CapacityUnits: units = 0 }) => sum + units, 0),
  }
}

interface Circumstances {
  readonly isTimed?: boolean
  readonly destinations?: readonly Destination[]
}

/** What an accepted webhook costs. @throws Error for one that is not accepted at once */
export async function unitsOf(
  store: EmulatedStore,
  source: EventSource,
  body: object | string,
  { isTimed = true, destinations = [] }: Circumstances = {},
): Promise<number> {
  const { documents, units } = metered(store)
  const { proven: proof, ...call } = proven(source, body)
  const { signedAt, ...untimed } = proof
  const acceptance = await inboxOn(documents, destinations).accept(source, {
    ...call,
    proven: isTimed ? proof : untimed,
  })
  if (acceptance !== 'processed') throw new Error(`the webhook is ${acceptance}`)
  return units()
}

export function inboxOn(documents: Documents, destinations: readonly Destination[] = []) {
  const log = recordingLog()
  const queue = { send: async () => {} }
  return createInbox({
    events: deliveringInserts(dynamoEventStore(documents, TABLES), { destinations, queue, log }),
    queue,
    policy: POLICY,
    clock: systemClock,
    ids: clockIds(systemClock),
    audit: logAudit(log),
    log,
  })
}

/** The headers that are kept of a call, and those that its source reads. */
const HEADERS: Readonly<Record<string, () => Readonly<Record<string, string>>>> = {
  stripe: () => ({ 'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)' }),
  github: () => ({
    'user-agent': 'GitHub-Hookshot/0c1a2b3',
    'x-github-event': 'organization',
    'x-github-delivery': randomUUID(),
  }),
  shopify: () => ({ 'x-shopify-webhook-id': randomUUID() }),
}

/** A call with a signed time under a configured secret. */
export function proven({ name }: EventSource, payload: object | string) {
  const delivery = deliveryOf(payload)
  const headers = { 'content-type': 'application/json; charset=utf-8', ...HEADERS[name]?.() }
  const key = `${name}#1`
  const proof = { covers: 'body', key, signedAt: new Date(), signed: () => [delivery.body] } as const
  return { ...delivery, headers, proven: proof } satisfies VerifiedCall
}
