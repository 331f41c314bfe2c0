import { ask } from '../ask.ts'
import { Dialog, FormField } from '../ui/dialog.tsx'
import { tell } from '../ui/toast.tsx'
import { createPasskey } from './browser.ts'

const PATH = '/api/passkeys/registration'

interface NewPasskeyProps {
  readonly close: () => void
  readonly done: () => Promise<void>
}

/** Asks for a name, then has the browser make a passkey. */
export function NewPasskeyDialog({ close, done }: NewPasskeyProps) {
  async function add(fields: FormData): Promise<undefined> {
    const name = String(fields.get('name'))
    const options = await ask<PublicKeyCredentialCreationOptionsJSON>(`${PATH}/options`, { method: 'POST' })
    const credential = await createPasskey(options)
    await ask(PATH, { method: 'POST', body: { name, credential } })
    tell({ tone: 'ok', title: `${name} is added`, text: 'You can log in with it from now on.' })
    await done()
    return undefined
  }

  return (
    <Dialog title="Add a passkey" action="Add" submit={add} close={close}>
      <FormField label="Name" name="name" hint="Where it is: laptop, phone, security key. Your browser asks next.">
        <input id="field-name" name="name" type="text" required maxlength={64} autocomplete="off" />
      </FormField>
    </Dialog>
  )
}
