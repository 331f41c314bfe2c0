import type { sessionList } from '../lib/contract/answers/accounts.ts'
import { type Response, useAnswer, wordsOf } from './ask.ts'
import { Button } from './ui/button.tsx'
import { Steps, StepView } from './ui/steps.tsx'
import { LiveTime, ShortTime } from './ui/times.tsx'
import { tell } from './ui/toast.tsx'

interface SessionListProps {
  /** Of the list in the API. */
  readonly path: string
  /** Ends one of them; absent where one cannot. */
  readonly end?: (sessionId: string) => Promise<void>
}

type Listed = Response<typeof sessionList>

const METHODS: Readonly<Record<Listed['sessions'][number]['authType'], string>> = {
  FORM: 'Login form',
  OAuth2: 'Identity provider',
  PASSKEY: 'Passkey',
}

/** The login sessions of an account. */
export function SessionList({ path, end }: SessionListProps) {
  const { answer, problem, reread } = useAnswer<Listed>(path)
  const sessions = answer.value?.sessions

  async function endOne(id: string): Promise<void> {
    try {
      await end?.(id)
      await reread()
    } catch (error) {
      tell({ tone: 'bad', title: 'The session has not ended', text: wordsOf(error) })
    }
  }

  if (problem.value !== undefined) return <p class="muted small">{problem.value}</p>
  if (sessions?.length === 0) return <p class="muted small">No session is open.</p>
  return (
    <Steps>
      {sessions?.map(({ id, authType, createdAt, lastSeenAt, expiresAt, current }) => (
        <StepView
          key={id}
          tone="note"
          icon="user"
          title={METHODS[authType]}
          about={current ? 'this session' : undefined}
          time={
            <>
              used <ShortTime at={lastSeenAt} />
            </>
          }
        >
          <span class="muted">
            since <ShortTime at={createdAt} />, ends <LiveTime at={expiresAt} />
          </span>
          {end && !current && (
            <p>
              <Button onClick={() => void endOne(id)}>
                End<span class="hide"> the session of {createdAt}</span>
              </Button>
            </p>
          )}
        </StepView>
      ))}
    </Steps>
  )
}
