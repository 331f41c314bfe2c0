import { Buffer } from 'node:buffer'
import { fail } from '../../errors.ts'
import type { Ids } from '../../runtime/ids.ts'
import type { Clock } from '../../runtime/time.ts'
import { spanIdOf, traceparentOf } from '../../runtime/trace.ts'
import { UNPROVEN } from '../../webhooks/event.ts'
import { GATEHOUSE } from '../../webhooks/source.ts'
import type { Carrier } from '../carrier.ts'
import type { Destination } from '../destination.ts'

export interface TestParts {
  /** By the names of destinations, each for one {@link asTested}. They throw ServiceError `UNAVAILABLE`. */
  readonly carriers: ReadonlyMap<string, () => Promise<Carrier>>
  readonly clock: Clock
  readonly ids: Ids
}

/** What a destination receives to show that it can be reached. */
const TEST_EVENT = { source: GATEHOUSE, eventType: 'gatehouse.test' } as const

/** In milliseconds: less than an HTTP API waits for its function (Amazon API Gateway, "Quotas for HTTP APIs": 30 s). */
const LONGEST = 20_000

/** A destination with the time that a test gives it. */
export function asTested(destination: Destination): Destination {
  return { ...destination, timeout: Math.min(destination.timeout, LONGEST) }
}

/**
 * Sends one invented event now, whatever the health of the destination; nothing of it is stored.
 * @throws ServiceError `DESTINATION_NOT_FOUND`; `UNAVAILABLE` if this service failed
 */
export async function testDestination({ carriers, clock, ids }: TestParts, name: string | undefined) {
  const carrier = await carriers.get(name ?? '')?.()
  if (carrier === undefined) throw fail('DESTINATION_NOT_FOUND')
  const at = clock.now()
  const eventId = ids.unique()
  const event = { ...TEST_EVENT, eventId }
  const { kind, answer } = await carrier.carry({
    event: {
      ...event,
      id: ids.ordered(),
      receivedAt: at,
      payload: Buffer.from(JSON.stringify({ type: TEST_EVENT.eventType, id: eventId, at: at.toISOString() })),
      headers: { 'content-type': 'application/json' },
      proof: UNPROVEN,
    },
    attempt: 1,
    traceparent: traceparentOf(event, spanIdOf(eventId)),
    at,
  })
  return { delivered: kind === 'delivered', answer, durationMs: clock.now().getTime() - at.getTime() }
}
