import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { TriedOperation } from '../../lib/contract/console.ts'
import { answerOf } from '../ask.ts'
import { type Call, curlOf, type Exchange, JSON_HEADERS, makeCall, prettyText } from '../call.ts'
import { CallRefused } from '../problem.ts'
import { Badge } from '../ui/badge.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Field } from '../ui/dialog.tsx'
import { ForeignText, Problem } from '../ui/text.tsx'
import { IdentityFields, identityHeaders } from './identity.tsx'

type Outcome = { readonly exchange: Exchange } | { readonly problem: string }

/** Calls an operation with what one types, and shows the answer. */
export function TryIt({ operation }: { readonly operation: TriedOperation }) {
  const { id, method, parameters, type } = operation
  const outcome = useSignal<Outcome | undefined>(undefined)
  const isBusy = useSignal(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLElement>('select, input, textarea')?.focus(), [])

  async function send(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const fields = new FormData(form.current ?? undefined)
    const text = (name: string) => String(fields.get(name) ?? '')
    const inputs = {
      parameters: new Map(parameters.map(({ name }) => [name, text(`parameter.${name}`)])),
      body: text('body'),
    }
    isBusy.value = true
    outcome.value = await attempt(() => tryCall(operation, inputs))
    isBusy.value = false
  }

  return (
    <form class="form" ref={form} onSubmit={(event) => void send(event)}>
      <IdentityFields scope={id} />
      {parameters.map(({ name, in: place, value }) => (
        <Field key={name} scope={id} name={name} label={`${name} (${place === 'path' ? 'path' : 'query, optional'})`}>
          {(field) => (
            <input
              id={field}
              name={`parameter.${name}`}
              defaultValue={value}
              required={place === 'path'}
              autocomplete="off"
              spellcheck={false}
            />
          )}
        </Field>
      ))}
      {type !== undefined && (
        <Field scope={id} name="body" label={`Body (${type})`}>
          {(field) => <textarea id={field} name="body" rows={8} spellcheck={false} defaultValue={operation.body} />}
        </Field>
      )}
      <p class="row flow">
        <button type="submit" class="btn main-btn" disabled={isBusy.value}>
          Send
        </button>
        {method !== 'GET' && <span class="small muted">This is a real call: it may change data.</span>}
      </p>
      <div role="status">
        {outcome.value &&
          ('exchange' in outcome.value ? (
            <AnswerView exchange={outcome.value.exchange} />
          ) : (
            <Problem text={outcome.value.problem} />
          ))}
      </div>
    </form>
  )
}

async function attempt(makeOrder: () => Call): Promise<Outcome> {
  try {
    const call = makeOrder()
    // Throws for a text that no header may hold.
    new Headers(call.headers)
    return { exchange: await answerOf(makeCall(call)) }
  } catch (error) {
    return { problem: error instanceof CallRefused ? error.message : 'This call holds characters that cannot be sent.' }
  }
}

/** What one typed for a call: its parameters by name, and its body. */
interface Inputs {
  readonly parameters: ReadonlyMap<string, string>
  readonly body: string
}

/** The call of an operation. A parameter of the query that is empty is left out. */
function tryCall(operation: TriedOperation, inputs: Inputs): Call {
  const { method, path, parameters, type } = operation
  const { headers, withSession } = identityHeaders(method)
  const given = (name: string) => inputs.parameters.get(name) ?? ''
  const named = parameters.filter((one) => one.in === 'query' && given(one.name) !== '')
  const query = new URLSearchParams(named.map(({ name }) => [name, given(name)])).toString()
  const hasBody = type !== undefined && inputs.body !== ''
  return {
    method,
    path: `${path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(given(name)))}${query === '' ? '' : `?${query}`}`,
    headers: { ...JSON_HEADERS, ...(hasBody && { 'content-type': type }), ...headers },
    ...(hasBody && { body: inputs.body }),
    withSession,
  }
}

/** More would make the page slow; the copy has all. */
const MOST_CHARACTERS = 20_000

/** What came back, and the call as a command. */
function AnswerView({ exchange }: { readonly exchange: Exchange }) {
  const { call, status, headers, text, milliseconds } = exchange
  const body = prettyText(text)
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
