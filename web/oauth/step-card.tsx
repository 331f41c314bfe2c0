import { MAXIMUM_FIELDS } from '../../lib/contract/login-steps.ts'
import type { Response } from '../ask.ts'
import { CodeFacts } from '../components/code-facts.tsx'
import { CHECKS, RESULTS, STEPS } from './meanings.ts'

type Step = Response<'oauth2Steps'>['steps'][number]
type Field = Step['sent'][number]

/** The placeholder of a hidden value. */
const HIDDEN = '…'

/** A step of a login: the request, its answer, and the checks. */
export function StepCard({ step, number }: { readonly step: Step; readonly number: number }) {
  const { title, text } = STEPS[step.name]
  return (
    <section class="card" aria-labelledby={step.name}>
      <h2 id={step.name}>
        {number}. {title}
      </h2>
      <p class="muted">{text}</p>
      <pre class="wrapped">
        {step.method} {step.url}
      </pre>
      <div class="columns">
        {step.sent.length > 0 && <Fields title={step.name === 'callback' ? 'Received' : 'Sent'} fields={step.sent} />}
        {step.answer && <Fields title={`Answered ${step.answer.status}`} fields={step.answer.fields} />}
      </div>
      {step.checks.length > 0 && <Checks checks={step.checks} />}
    </section>
  )
}

function Fields({ title, fields }: { readonly title: string; readonly fields: readonly Field[] }) {
  const shown = fields.filter(({ value }) => value !== HIDDEN)
  const hidden = fields.filter(({ value }) => value === HIDDEN)
  return (
    <section class="exchange-part">
      <h3>{title}</h3>
      {shown.length > 0 && <CodeFacts entries={shown.map(({ name, value }) => [name, value] as const)} />}
      {hidden.length > 0 && <p class="muted">Not shown: {hidden.map(({ name }) => name).join(', ')}.</p>}
      {fields.length === MAXIMUM_FIELDS && <p class="muted">No more than {MAXIMUM_FIELDS} are kept.</p>}
      {fields.length === 0 && <p class="muted">Nothing of it is shown.</p>}
    </section>
  )
}

function Checks({ checks }: Pick<Step, 'checks'>) {
  return (
    <table class="claims checks">
      <caption>Checked</caption>
      <thead>
        <tr>
          <th scope="col">Check</th>
          <th scope="col">Result</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        {checks.map(({ name, result, value }) => {
          const { label, text, otherwise } = CHECKS[name]
          const isMissing = result === 'NOT_SENT' || result === 'REPLACED'
          return (
            <tr key={name}>
              <th scope="row">{label}</th>
              <td>
                <span class="badge" data-tone={RESULTS[result].tone}>
                  {RESULTS[result].label}
                </span>
              </td>
              <td>
                <span class="muted">{isMissing ? otherwise : text}</span> {value !== undefined && <code>{value}</code>}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
