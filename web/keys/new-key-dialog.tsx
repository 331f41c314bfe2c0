import { useSignal } from '@preact/signals'
import { ask, type Response } from '../ask.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog, FormField } from '../ui/dialog.tsx'

interface NewKeyDialogProps {
  readonly close: () => void
  readonly done: () => Promise<void>
}

export function NewKeyDialog({ close, done }: NewKeyDialogProps) {
  const made = useSignal<string | undefined>(undefined)

  async function make(fields: FormData): Promise<'stay'> {
    const text = (name: string) => String(fields.get(name)).trim()
    const sources = text('sources')
      .split(/[\s,]+/)
      .filter(Boolean)
    const { key } = await ask<Response<'keysCreate'>>('/api/keys', {
      method: 'POST',
      body: {
        name: text('name'),
        ...(sources.length > 0 && { sources }),
        ...(text('expiresAt') !== '' && { expiresAt: new Date(text('expiresAt')).toISOString().slice(0, -1) }),
      },
    })
    made.value = key
    await done()
    return 'stay'
  }

  if (made.value !== undefined)
    return (
      <Dialog title="The key is made" close={close}>
        <p class="note small" data-tone="wait">
          Copy it now. It is not stored and cannot be shown again.
        </p>
        <pre class="code">{made.value}</pre>
        <p>
          <CopyButton text={made.value} of="the key" />
        </p>
      </Dialog>
    )
  return (
    <Dialog title="Create an API key" action="Make" submit={make} close={close}>
      <FormField label="Name" name="name" hint="For people: which machine has it.">
        <input id="field-name" name="name" required maxLength={64} />
      </FormField>
      <FormField label="Sources (empty: all)" name="sources" hint="Names, separated by blanks: stripe github">
        <input id="field-sources" name="sources" spellcheck={false} />
      </FormField>
      <FormField label="Expires (local time, empty: the longest that is allowed)" name="expiresAt">
        <input id="field-expiresAt" name="expiresAt" type="datetime-local" />
      </FormField>
    </Dialog>
  )
}
