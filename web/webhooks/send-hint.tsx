import { CopyButton } from '../components/copy-button.tsx'
import { facts } from '../facts.ts'

const COMMAND = 'npm run send -- stripe payment_intent.succeeded'

/** A local run has demo users. */
const isLocal = facts.demoUsers.length > 0

/** How to send a signed event: on the command line, as no page may know the secret. */
export function SendHint() {
  if (!isLocal) return null
  return (
    <p class="inline send">
      <span>Send a signed one:</span>
      <code>{COMMAND}</code>
      <CopyButton text={COMMAND} of="the command" />
    </p>
  )
}
