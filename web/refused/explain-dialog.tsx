import { useSignal } from '@preact/signals'
import { ask, type Response } from '../ask.ts'
import { Dialog, FormField } from '../ui/dialog.tsx'
import { callFromHttp } from './call-from-http.ts'

const EXAMPLE = `POST /webhooks/stripe HTTP/1.1
Stripe-Signature: t=1700000000,v1=…
Content-Type: application/json

{"id":"evt_1"}`

/** Judges a call that somebody recorded, as of the time of the recording. Nothing is stored. */
export function ExplainDialog({ close }: { readonly close: () => void }) {
  const verdict = useSignal<Response<'webhookExplain'> | undefined>(undefined)

  async function explain(fields: FormData): Promise<'stay'> {
    const text = (name: string) => String(fields.get(name))
    const at = text('at') === '' ? new Date() : new Date(text('at'))
    const body = callFromHttp(text('source'), text('call'), at)
    verdict.value = await ask('/api/webhooks/explain', { method: 'POST', body })
    return 'stay'
  }

  return (
    <Dialog title="Explain a recorded call" action="Explain" submit={explain} close={close}>
      <FormField label="Source" name="source">
        <input id="field-source" name="source" required value="stripe" spellcheck={false} />
      </FormField>
      <FormField
        label="The call as HTTP"
        name="call"
        hint="A signature is over the exact bytes. This field has line ends of one byte; for others use npm run explain."
      >
        <textarea id="field-call" name="call" rows={9} required spellcheck={false} placeholder={EXAMPLE} />
      </FormField>
      <FormField label="Received at (local time, empty: now)" name="at">
        <input id="field-at" name="at" type="datetime-local" step="1" />
      </FormField>
      <div role="status">
        {verdict.value && (
          <p class="note" data-tone={verdict.value.reason === 'accepted' ? 'ok' : 'wait'}>
            <strong>{verdict.value.sentence}</strong>
          </p>
        )}
      </div>
    </Dialog>
  )
}
