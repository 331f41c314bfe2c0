import { loginHere } from '../login-here.ts'
import { isSessionOver } from '../session-call.ts'

/** A notice that the session ended while the page was open. */
export function SessionNotice() {
  return (
    <div role="status">
      {isSessionOver.value && (
        <p class="notice" data-tone="warn">
          Your session has ended. <a href={loginHere()}>Log in again</a>; what you see here stays until you leave the
          page.
        </p>
      )}
    </div>
  )
}
