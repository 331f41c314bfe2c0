import { loginHere } from '../login-here.ts'
import { isSessionOver } from '../session-call.ts'

/** Says that the session has ended while the page was open. */
export function SessionNotice() {
  return (
    <div role="status">
      {isSessionOver.value && (
        <p class="note" data-tone="wait">
          Your session has ended. <a href={loginHere()}>Log in again</a>. This page stays as it is until you leave it.
        </p>
      )}
    </div>
  )
}
