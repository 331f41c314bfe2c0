import { CopyButton } from '../components/copy-button.tsx'
import { isLocal } from '../facts.ts'

const COMMAND = 'npm run send -- stripe payment_intent.succeeded'

/** How to send a signed event from a terminal. */
export function SendHint() {
  if (!isLocal) return null
  return (
    <p class="inline send">
      <span>From a terminal:</span>
      <code>{COMMAND}</code>
      <CopyButton text={COMMAND} of="the command" />
    </p>
  )
}
