import type { EventBus } from '../messages/message.ts'
import { createBroker, type Transport } from './broker.ts'
import { StompSession, type StompSessionParts } from './session.ts'

export interface StompSessionsParts extends Omit<StompSessionParts, 'broker'> {
  readonly bus: EventBus
  /** From 0 up to, not including, 1: spreads the clients of a server that drains. */
  readonly random: () => number
}

export interface StompSessions {
  /** Whether new sessions are refused because the server drains. */
  readonly isDraining: boolean
  /** @param connected called when the client has authenticated */
  open(transport: Transport, connected: () => void): StompSession
  /** The transport calls it when it is closed. */
  close(session: StompSession): void
  /** Refuses new sessions and closes all others within the time; settles when all are closed. */
  drain(milliseconds: number): Promise<void>
}

/** The share of the drain in which the server asks sessions to close; the rest is left for closing. */
const SPREAD = 0.5

/** The sessions of one process, over any transport. */
export function createStompSessions(parts: StompSessionsParts): StompSessions {
  const { bus, random, timers } = parts
  const broker = createBroker(bus)
  const shared = { ...parts, broker }
  const open = new Map<StompSession, Transport>()
  const allGone = Promise.withResolvers<void>()
  let drained: Promise<void> | undefined

  function resolveWhenEmpty(): void {
    if (drained && open.size === 0) allGone.resolve()
  }

  async function sendAway(milliseconds: number): Promise<void> {
    for (const session of open.keys()) timers.after(random() * SPREAD * milliseconds, () => session.drain())
    const cancel = timers.after(milliseconds, () => {
      for (const transport of open.values()) transport.terminate()
    })
    await allGone.promise
    cancel()
    broker.close()
  }

  return {
    get isDraining() {
      return drained !== undefined
    },
    open(transport, connected) {
      const session = new StompSession(shared, transport, connected)
      open.set(session, transport)
      return session
    },
    close(session) {
      open.delete(session)
      session.closed()
      resolveWhenEmpty()
    },
    drain(milliseconds) {
      drained ??= sendAway(milliseconds)
      resolveWhenEmpty()
      return drained
    },
  }
}
