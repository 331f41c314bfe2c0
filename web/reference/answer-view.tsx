import { curlOf, type Exchange } from '../call.ts'
import { Badge } from '../ui/badge.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { ForeignText } from '../ui/text.tsx'

/** More would make the page slow; the copy has all. */
const MOST_CHARACTERS = 20_000

/** What came back, and the call as a command. */
export function AnswerView({ exchange }: { readonly exchange: Exchange }) {
  const { call, status, headers, text, milliseconds } = exchange
  const body = pretty(text)
  return (
    <div class="stack">
      <p class="row flow">
        <Badge tone={status < 400 ? 'ok' : 'wait'} isSolid>
          {status}
        </Badge>
        <span class="muted small num">{milliseconds} ms</span>
        {text !== '' && <CopyButton text={text} of="the answer" isNamed />}
        <CopyButton text={curlOf(call, location.origin)} of="the call as curl" isNamed />
      </p>
      {body !== '' && (
        <pre class="code">
          <ForeignText text={body.slice(0, MOST_CHARACTERS)} />
          {body.length > MOST_CHARACTERS && `\n… ${body.length - MOST_CHARACTERS} more characters`}
        </pre>
      )}
      <details>
        <summary>Headers of the answer</summary>
        <dl class="facts fields">
          {headers.map(([name, value]) => [
            <dt key={name}>
              <code>{name}</code>
            </dt>,
            <dd key={`${name}:`}>
              <code>{value}</code>
            </dd>,
          ])}
        </dl>
      </details>
    </div>
  )
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}
