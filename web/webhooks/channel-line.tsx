import { useSignal } from '@preact/signals'
import { wordsOf } from '../ask.ts'
import { facts } from '../facts.ts'
import { type ChannelState, channel, goLive, isChannelOffered } from './channel.ts'

interface Wording {
  readonly text: string
  readonly tone: 'plain' | 'good' | 'warn'
}

const WORDINGS: Readonly<Record<ChannelState, Wording>> = {
  polling: { text: 'Updated every 3 seconds', tone: 'plain' },
  connecting: { text: 'Connecting …', tone: 'plain' },
  live: { text: 'Live over STOMP', tone: 'good' },
  lost: { text: 'Connecting again; updated every 3 seconds', tone: 'warn' },
}

/** Shows how the page receives changes, and offers to receive them at once. */
export function ChannelLine() {
  const { text, tone } = WORDINGS[channel.value]
  return (
    <>
      <span class="badge" data-tone={tone} role="status">
        {text}
      </span>
      {isChannelOffered && ['polling', 'connecting'].includes(channel.value) && <GoLive />}
    </>
  )
}

function GoLive() {
  const problem = useSignal('')

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const fields = new FormData(event.currentTarget as HTMLFormElement)
    try {
      await goLive(String(fields.get('password')))
    } catch (error) {
      problem.value = wordsOf(error)
    }
  }

  return (
    <details class="go-live">
      <summary>Go live</summary>
      <form class="fields" onSubmit={(event) => void submit(event)}>
        <p class="muted">
          The channel wants a token, and a session is none. Your password gets one, which stays in the memory of this
          page.
        </p>
        <input name="username" autocomplete="username" value={facts.user?.username} hidden readOnly />
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password" required />
        <p role="alert">{problem}</p>
        <button type="submit" disabled={channel.value === 'connecting'}>
          Subscribe
        </button>
      </form>
    </details>
  )
}
