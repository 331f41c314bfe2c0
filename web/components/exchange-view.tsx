import type { Exchange } from '../call.ts'
import { curlOf } from '../curl.ts'
import { CopyButton } from '../ui/copy-button.tsx'

/** A request and its answer in full, and the request as a shell command. */
export function ExchangeView({ exchange }: { readonly exchange: Exchange }) {
  const { call, status, headers, text, milliseconds } = exchange
  const command = curlOf(call, location.origin)
  return (
    <div class="exchange">
      <section>
        <h3>Request</h3>
        <pre>
          {`${call.method} ${call.path}\n${lines(Object.entries(call.headers))}${call.body === undefined ? '' : `\n${call.body}`}`}
        </pre>
        <p class="muted">
          {call.withSession
            ? 'With the cookies of this page; no script reads the one that names the session.'
            : 'Without any cookie.'}
        </p>
      </section>
      <section>
        <h3>
          Response <span class="muted">in {milliseconds} ms</span>
        </h3>
        <pre>{`${status}\n${lines(headers)}${text === '' ? '' : `\n${pretty(text)}`}`}</pre>
      </section>
      <section>
        <h3 class="inline">
          As curl <CopyButton text={command} of="the request as curl" />
        </h3>
        <pre class="command">{command}</pre>
        {call.withSession && (
          <p class="muted">cookies.txt is what the login for a terminal on the login page leaves behind.</p>
        )}
      </section>
    </div>
  )
}

function lines(headers: Iterable<readonly [name: string, value: string]>): string {
  return [...headers].map(([name, value]) => `${name}: ${value}\n`).join('')
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}
