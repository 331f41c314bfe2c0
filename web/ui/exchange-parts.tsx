import { curlOf, type Exchange, prettyText } from '../call.ts'
import { CopyButton } from './copy-button.tsx'
import { Part } from './pane.tsx'
import { ForeignText } from './text.tsx'

/** A request and its answer in full, and the request as a shell command. */
export function ExchangeParts({ exchange }: { readonly exchange: Exchange }) {
  const { call, status, headers, text } = exchange
  const tone = status < 400 ? 'ok' : 'wait'
  return (
    <>
      <Part title="Request">
        <pre class="code">
          {`${call.method} ${call.path}\n`}
          <Headers entries={Object.entries(call.headers)} />
          {call.withSession && <span class="muted">{'cookie: those of this page\n'}</span>}
          {call.body !== undefined && `\n${call.body}`}
        </pre>
      </Part>
      <Part title="Response">
        <pre class="code">
          <mark data-tone={tone}>{status}</mark>
          {'\n'}
          <Headers entries={headers} />
          {'\n'}
          <ForeignText text={prettyText(text)} />
        </pre>
      </Part>
      <Curl exchange={exchange} />
    </>
  )
}

/** Each in a line. */
export function Headers({ entries }: { readonly entries: Iterable<readonly [name: string, value: string]> }) {
  return (
    <>
      {[...entries].map(([name, value]) => (
        <>
          {`${name}: `}
          {name === 'authorization' ? <mark data-tone="violet">{value}</mark> : <ForeignText text={value} />}
          {'\n'}
        </>
      ))}
    </>
  )
}

function Curl({ exchange: { call } }: { readonly exchange: Exchange }) {
  const command = curlOf(call, location.origin)
  return (
    <section class="stack" aria-label="As curl">
      <h3 class="row">
        As curl <CopyButton text={command} of="the request as curl" />
      </h3>
      <pre class="code">{command}</pre>
      {call.withSession && (
        <p class="small muted">
          <code>cookies.txt</code> is written by the command for a terminal on the <a href="/login">login page</a>.
        </p>
      )}
    </section>
  )
}
