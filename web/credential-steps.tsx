import type { ComponentChildren } from 'preact'
import { ask } from './ask.ts'
import { Action } from './ui/action.tsx'
import { Steps, StepView } from './ui/steps.tsx'
import { asForeign } from './ui/text.tsx'
import { ShortTime } from './ui/times.tsx'

interface Credential {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
}

interface CredentialStepsProps {
  readonly rows: readonly Credential[]
  /** Of the list in the API that removes them. */
  readonly path: string
  readonly reread: () => Promise<void>
  /** What is said after the removal. */
  readonly more?: string
  /** What the removal does. */
  readonly children: ComponentChildren
}

/** Passkeys or API keys, each with a button that removes it. */
export function CredentialSteps({ rows, path, reread, more, children }: CredentialStepsProps) {
  return (
    <Steps>
      {rows.map(({ id, name, createdAt, lastUsedAt }) => (
        <StepView
          key={id}
          tone="note"
          icon="key"
          title={name}
          time={lastUsedAt ? <ShortTime at={lastUsedAt} /> : 'never used'}
        >
          <span class="muted">
            since <ShortTime at={createdAt} />
          </span>
          <div>
            <Action
              label={
                <>
                  Remove<span class="hide"> {asForeign(name)}</span>
                </>
              }
              class=""
              isDangerous
              title={`Remove ${name}?`}
              action="Remove"
              run={() => ask(`${path}/${encodeURIComponent(id)}`, { method: 'DELETE' })}
              said={`${name} is removed`}
              {...(more !== undefined && { more })}
              done={reread}
            >
              <p class="small muted">{children}</p>
            </Action>
          </div>
        </StepView>
      ))}
    </Steps>
  )
}
