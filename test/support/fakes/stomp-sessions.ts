import { vi } from 'vitest'
import type { Transport } from '../../../lib/stomp/broker.ts'
import type { StompSession } from '../../../lib/stomp/session.ts'
import type { StompSessions } from '../../../lib/stomp/sessions.ts'

/** Places for sessions that hear nothing; the test says when the last of them has gone. */
export function fakeSessions(isDraining = false) {
  const transports: Transport[] = []
  const allGone = Promise.withResolvers<void>()
  const close = vi.fn()
  const sessions: StompSessions = {
    isDraining,
    open(transport) {
      transports.push(transport)
      return { receive: () => {} } as unknown as StompSession
    },
    close,
    drain: () => allGone.promise,
  }
  return { sessions, transports, close, allGone: allGone.resolve }
}
