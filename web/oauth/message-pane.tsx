import { type LoginField, type LoginStep, MAXIMUM_FIELDS } from '../../lib/contract/login-steps.ts'
import { Button } from '../ui/button.tsx'
import { Pane, Part } from '../ui/pane.tsx'
import { Steps, StepView } from '../ui/steps.tsx'
import { Facts, ForeignCode, ForeignText } from '../ui/text.tsx'
import { ADAPTER, CHECKS, RESULTS } from './checks.ts'
import type { DrawnCheck, DrawnMessage } from './drawing.ts'
import { directionOf } from './messages.ts'

/** The placeholder of a hidden value. */
const HIDDEN = '…'

interface MessagePaneProps {
  readonly message: DrawnMessage
  readonly close: () => void
  /** Opens the message before or after it; undefined at the ends. */
  readonly previous: (() => void) | undefined
  readonly next: (() => void) | undefined
}

/** One message of a login: its request, its answer, and the checks that were made when it arrived. */
export function MessagePane({ message, close, previous, next }: MessagePaneProps) {
  const { number, title, text, state, recorded, drawnChecks } = message
  return (
    <Pane
      title={`${number} · ${title}`}
      note={directionOf(message)}
      close={close}
      actions={
        <>
          <Walk icon="up" label="Previous message" go={previous} />
          <Walk icon="down" label="Next message" go={next} />
        </>
      }
    >
      <p class="small muted">{text}</p>
      {state === 'never' && <p class="note small">This message was not sent.</p>}
      {recorded && <Exchange step={recorded} isCookie={message.name === 'departure'} />}
      {drawnChecks.length > 0 && (
        <Part title="Checks, in the order they run">
          <Steps>
            {drawnChecks.map((check) => (
              <CheckView key={check.name} check={check} />
            ))}
          </Steps>
        </Part>
      )}
    </Pane>
  )
}

function Walk(props: { readonly icon: string; readonly label: string; readonly go: (() => void) | undefined }) {
  const { icon, label, go } = props
  return <Button icon={icon} class="bare" label={label} title={label} disabled={go === undefined} onClick={go} />
}

function Exchange({ step, isCookie }: { readonly step: LoginStep; readonly isCookie: boolean }) {
  const { method, url, sent, answer } = step
  return (
    <>
      <Part title={isCookie ? 'Answer: 302 to this address, and a sealed cookie' : 'Request'}>
        <pre class="code">
          {method} <ForeignText text={url} />
        </pre>
        <Fields fields={sent} />
      </Part>
      {answer && (
        <Part title={`Answer: ${answer.status}`}>
          <Fields fields={answer.fields} />
        </Part>
      )}
    </>
  )
}

function Fields({ fields }: { readonly fields: readonly LoginField[] }) {
  const shown = fields.filter(({ value }) => value !== HIDDEN)
  const hidden = fields.filter(({ value }) => value === HIDDEN)
  return (
    <>
      <Facts rows={shown.map(({ name, value }) => [name, <ForeignCode key={name} text={value} />])} />
      {hidden.length > 0 && <p class="small muted wrap">Not shown: {hidden.map(({ name }) => name).join(', ')}.</p>}
      {fields.length === MAXIMUM_FIELDS && <p class="small muted">At most {MAXIMUM_FIELDS} fields are kept.</p>}
    </>
  )
}

function CheckView({ check: { name, result, value, expected } }: { readonly check: DrawnCheck }) {
  const { label, text, otherwise, place = ADAPTER } = CHECKS[name]
  const { label: word, ...look } = RESULTS[result]
  const isMissing = result === 'NOT_SENT' || result === 'REPLACED'
  return (
    <StepView {...look} title={label} about={word}>
      <span>{isMissing ? otherwise : text}</span>
      {expected !== undefined && (
        <span>
          Expected <code>{expected}</code>
          {value !== undefined && (
            <>
              , got <ForeignCode text={value} />
            </>
          )}
          .
        </span>
      )}
      {expected === undefined && value !== undefined && <ForeignCode text={value} />}
      <code class="muted">{place}</code>
    </StepView>
  )
}
