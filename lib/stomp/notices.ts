import { Buffer } from 'node:buffer'
import { OWN_NOTICES } from '../messages/announcements.ts'
import type { BusMessage } from '../messages/bus.ts'
import type { Cancel, Timers } from '../runtime/async.ts'
import type { Clock } from '../runtime/time.ts'
import type { Deliver } from './broker.ts'

/** How long before the end of its token a session is notified, in milliseconds. */
const AHEAD_MS = 60_000

/** The notices that the server sends a session about the session itself. */
export interface SessionNotices {
  /** Schedules the notice about the end of the token. @returns the function that cancels it */
  expectEnd(at: Date): Cancel
  subscribe(deliver: Deliver): Cancel
}

export function createNotices(clock: Clock, timers: Timers): SessionNotices {
  const listeners = new Set<Deliver>()
  let latest: BusMessage | undefined

  function tell(message: BusMessage): void {
    latest = message
    for (const deliver of listeners) deliver(message)
  }

  return {
    expectEnd(at) {
      const cancel = timers.after(at.getTime() - AHEAD_MS - clock.now().getTime(), () => tell(expiring(at)))
      return () => {
        latest = undefined
        cancel()
      }
    },
    subscribe(deliver) {
      // A function of its own, so that two equal subscriptions are separate.
      const own: Deliver = (message) => deliver(message)
      listeners.add(own)
      // After the answer to the SUBSCRIBE.
      const cancel = timers.after(0, () => latest && deliver(latest))
      return () => {
        listeners.delete(own)
        cancel()
      }
    },
  }
}

function expiring(at: Date): BusMessage {
  return {
    destination: OWN_NOTICES,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ type: 'token-expiring', expiresAt: at.toISOString() })),
  }
}
