import { signal } from '@preact/signals'
import type { Tone } from './badge.tsx'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

interface Message {
  readonly tone: Tone
  readonly title: string
  readonly text?: string
}

const shown = signal<Message | undefined>(undefined)

/** Shows the result of an order of the user; the next message replaces it. */
export function tell(message: Message): void {
  shown.value = message
}

export function Toast() {
  const message = shown.value
  return (
    <div role="status">
      {message && (
        <div class="toast">
          <p class="row">
            <span class="tone" data-tone={message.tone}>
              <Icon name={message.tone} />
            </span>
            <strong class="wrap">{message.title}</strong>
            <Button icon="x" class="bare push" label="Dismiss" onClick={() => (shown.value = undefined)} />
          </p>
          {message.text !== undefined && <p class="small muted wrap">{message.text}</p>}
        </div>
      )}
    </div>
  )
}
