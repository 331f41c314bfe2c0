import { readPasted } from './pasted.ts'
import type { TokenLab } from './token-lab.ts'

const COLORS = ['violet', 'run', 'teal'] as const

/** The field for a token, and the token in its three colors. */
export function TokenParts({ lab }: { readonly lab: TokenLab }) {
  const { removed } = readPasted(lab.pasted.value)
  return (
    <>
      <div class="form">
        <label for="token">Paste a token</label>
        <div class="field">
          <textarea
            id="token"
            rows={2}
            spellcheck={false}
            autocomplete="off"
            value={lab.pasted.value}
            onInput={({ currentTarget }) => lab.paste(currentTarget.value)}
          />
        </div>
        <p class="small muted">
          {removed.length === 0
            ? 'With or without “Bearer”. It stays in this page until you ask the service.'
            : `Left out: ${removed.join(', ')}.`}
        </p>
      </div>
      {lab.token.value !== '' && (
        <section class="stack" aria-label="Encoded">
          <h2>Encoded</h2>
          <pre class="code">
            {lab.token.value.split('.').map((part, index) => (
              <>
                {index > 0 && '.'}
                <mark data-tone={COLORS[index] ?? 'bad'}>{part}</mark>
              </>
            ))}
          </pre>
        </section>
      )}
    </>
  )
}
