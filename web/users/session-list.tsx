import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ask, type Response, wordsOf } from '../ask.ts'
import { LiveTime, ShortTime } from '../ui/live-time.tsx'

interface SessionListProps {
  /** Of the list in the API. */
  readonly path: string
  /** Ends one of them; absent where one cannot. */
  readonly end?: (sessionId: string) => Promise<void>
}

/** The login sessions of an account. */
export function SessionList({ path, end }: SessionListProps) {
  const sessions = useSignal<Response<'accountSessions'>['sessions'] | undefined>(undefined)
  const problem = useSignal<string | undefined>(undefined)

  async function read(): Promise<void> {
    try {
      sessions.value = (await ask<Response<'accountSessions'>>(path)).sessions
    } catch (error) {
      problem.value = wordsOf(error)
    }
  }

  useEffect(() => void read(), [path])
  if (problem.value !== undefined) return <p class="muted small">{problem.value}</p>
  if (sessions.value?.length === 0) return <p class="muted small">No session is open.</p>
  return (
    <ul class="steps">
      {sessions.value?.map(({ id, authType, createdAt, lastSeenAt, expiresAt, current }) => (
        <li key={id}>
          <span />
          <span>
            {authType === 'FORM' ? 'Login form' : 'Identity provider'} {current && <span class="chip">this one</span>}
          </span>
          <span class="small muted">
            used <ShortTime at={new Date(lastSeenAt)} />
          </span>
          <span class="small muted">
            since <ShortTime at={new Date(createdAt)} />, ends <LiveTime at={new Date(expiresAt)} />
          </span>
          {end && !current && (
            <span>
              <button type="button" class="btn" onClick={() => void end(id).then(read)}>
                End<span class="hide"> the session of {createdAt}</span>
              </button>
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
