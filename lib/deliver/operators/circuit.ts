import type { Clock } from '../../runtime/time.ts'
import type { Audit } from '../../webhooks/audit.ts'
import { disabled, enabled, type Health, type HealthChange } from '../breaker.ts'
import { type DestinationParts, findDestination, shownDestination } from './destinations.ts'

export interface CircuitParts extends DestinationParts {
  readonly clock: Clock
  readonly audit: Audit
}

/** An operator's decision, and the health after it; undefined if it changes nothing. */
interface Decision {
  readonly name: 'enabled' | 'disabled'
  readonly change: (present: Health, order: HealthChange) => Health | undefined
}

const ENABLED: Decision = {
  name: 'enabled',
  change: (present, order) => {
    const isHeld = present.heldUntil !== undefined && present.heldUntil > order.at
    return present.state === 'CLOSED' && !isHeld ? undefined : enabled(present, order)
  },
}

const DISABLED: Decision = {
  name: 'disabled',
  change: (present, order) => (present.state === 'DISABLED' ? undefined : disabled(present, order)),
}

/**
 * Lets deliveries through, whatever stopped them; the next scans find those that wait.
 * @returns the destination as operators see it
 * @throws ServiceError `DESTINATION_NOT_FOUND`, `UNAVAILABLE`
 */
export function enableDestination(parts: CircuitParts, name: string | undefined, order: Omit<HealthChange, 'at'>) {
  return decide(parts, name, ENABLED, order)
}

/**
 * Lets no delivery through; what comes waits.
 * @returns the destination as operators see it
 * @throws ServiceError `DESTINATION_NOT_FOUND`, `UNAVAILABLE`
 */
export function disableDestination(parts: CircuitParts, name: string | undefined, order: Omit<HealthChange, 'at'>) {
  return decide(parts, name, DISABLED, order)
}

async function decide(
  { destinations, health, due, clock, audit }: CircuitParts,
  given: string | undefined,
  { name, change }: Decision,
  { user, reason }: Omit<HealthChange, 'at'>,
) {
  const destination = findDestination(destinations, given)
  const at = clock.now()
  let isChanged = false
  const stored = await health.change(destination.name, (present) => {
    const changed = change(present, { at, user, reason })
    isChanged = changed !== undefined
    return changed
  })
  if (isChanged) audit.decided(name, { destination: destination.name, user, note: reason })
  return shownDestination(due, destination, stored)
}
