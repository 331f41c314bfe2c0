import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ask, type Response, wordsOf } from '../ask.ts'
import { Steps, StepView } from '../ui/steps.tsx'
import { LiveTime, ShortTime } from '../ui/times.tsx'
import { tell } from '../ui/toast.tsx'

interface SessionListProps {
  /** Of the list in the API. */
  readonly path: string
  /** Ends one of them; absent where one cannot. */
  readonly end?: (sessionId: string) => Promise<void>
}

type Shown = Response<'accountSessions'>['sessions'][number]

const WAYS: Readonly<Record<Shown['authType'], string>> = {
  FORM: 'Login form',
  OAuth2: 'Identity provider',
  PASSKEY: 'Passkey',
}

/** The login sessions of an account. */
export function SessionList({ path, end }: SessionListProps) {
  const sessions = useSignal<readonly Shown[] | undefined>(undefined)
  const problem = useSignal<string | undefined>(undefined)

  async function read(): Promise<void> {
    try {
      sessions.value = (await ask<Response<'accountSessions'>>(path)).sessions
    } catch (error) {
      problem.value = wordsOf(error)
    }
  }

  async function endOne(id: string): Promise<void> {
    try {
      await end?.(id)
      await read()
    } catch (error) {
      tell({ tone: 'bad', title: 'The session has not ended', text: wordsOf(error) })
    }
  }

  useEffect(() => void read(), [path])
  if (problem.value !== undefined) return <p class="muted small">{problem.value}</p>
  if (sessions.value?.length === 0) return <p class="muted small">No session is open.</p>
  return (
    <Steps>
      {sessions.value?.map(({ id, authType, createdAt, lastSeenAt, expiresAt, current }) => (
        <StepView
          key={id}
          tone="note"
          icon="user"
          title={WAYS[authType]}
          about={current ? 'this session' : undefined}
          time={
            <>
              used <ShortTime at={new Date(lastSeenAt)} />
            </>
          }
        >
          <span class="muted">
            since <ShortTime at={new Date(createdAt)} />, ends <LiveTime at={new Date(expiresAt)} />
          </span>
          {end && !current && (
            <p>
              <button type="button" class="btn" onClick={() => void endOne(id)}>
                End<span class="hide"> the session of {createdAt}</span>
              </button>
            </p>
          )}
        </StepView>
      ))}
    </Steps>
  )
}
