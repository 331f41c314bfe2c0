import type { Principal } from '../auth/principal.ts'
import { principalOf, type Session } from '../auth/session.ts'
import type { SessionGuard } from '../http/csrf.ts'
import { csrfTokens, sessions } from './sessions.ts'

/** What the checks of a request need of sessions. */
export const sessionGuard: SessionGuard & { principalOf(session: Session): Principal } = {
  find: sessions.find,
  principalOf: (session) => principalOf(session, sessions.expiresAt(session)),
  isCsrfToken: csrfTokens.isValid,
}
