import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ask, type Response, wordsOf } from '../ask.ts'
import { facts } from '../facts.ts'
import { Dialog, FormField } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Steps, StepView } from '../ui/steps.tsx'
import { ShortTime } from '../ui/times.tsx'
import { tell } from '../ui/toast.tsx'
import { createPasskey, hasPasskeys } from './browser.ts'

type Passkey = Response<'passkeys'>['passkeys'][number]

/** The passkeys of the account, or why it cannot have any. */
export function Passkeys() {
  const obstacle = obstacleTo(facts)
  return obstacle === undefined ? <PasskeyList /> : <p class="small muted">{obstacle}</p>
}

function obstacleTo({ passkeys, user }: typeof facts): string | undefined {
  if (user?.authType === 'OAuth2')
    return 'Passkeys are for accounts with a password. You log in with an identity provider.'
  if (passkeys === 'needs-name') {
    return `A browser keeps passkeys for a host name, and this service is at an IP address. Start it with BASE_URL=http://localhost:${location.port}.`
  }
  return hasPasskeys ? undefined : 'This browser has no passkeys.'
}

function PasskeyList() {
  const passkeys = useSignal<readonly Passkey[]>([])
  const problem = useSignal<string | undefined>(undefined)
  const isAdding = useSignal(false)
  const removed = useSignal<Passkey | undefined>(undefined)

  async function read(): Promise<void> {
    try {
      passkeys.value = (await ask<Response<'passkeys'>>('/api/passkeys')).passkeys
    } catch (error) {
      problem.value = wordsOf(error)
    }
  }

  async function remove({ id, name }: Passkey): Promise<undefined> {
    await ask(`/api/passkeys/${encodeURIComponent(id)}`, { method: 'DELETE' })
    tell({ tone: 'ok', title: `${name} is removed`, text: 'Delete it from your device, too.' })
    await read()
    return undefined
  }

  useEffect(() => void read(), [])
  if (problem.value !== undefined) return <p class="muted small">{problem.value}</p>
  return (
    <>
      <p class="small muted">A passkey logs you in without a password: with a fingerprint, a face or a PIN.</p>
      {passkeys.value.length > 0 && (
        <Steps>
          {passkeys.value.map((passkey) => (
            <PasskeyStep key={passkey.id} passkey={passkey} remove={() => (removed.value = passkey)} />
          ))}
        </Steps>
      )}
      <p>
        <button type="button" class="btn" onClick={() => (isAdding.value = true)}>
          <Icon name="plus" />
          Add a passkey …
        </button>
      </p>
      {isAdding.value && <NewPasskeyDialog close={() => (isAdding.value = false)} done={read} />}
      {removed.value && (
        <Dialog
          title={`Remove ${removed.value.name}?`}
          action="Remove"
          isDangerous
          submit={() => remove(removed.value as Passkey)}
          close={() => (removed.value = undefined)}
        >
          <p class="small muted">It can no longer log you in. Open sessions continue.</p>
        </Dialog>
      )}
    </>
  )
}

interface PasskeyStepProps {
  readonly passkey: Passkey
  readonly remove: () => void
}

function PasskeyStep({ passkey: { name, createdAt, lastUsedAt }, remove }: PasskeyStepProps) {
  const use = lastUsedAt === null ? 'never used' : <ShortTime at={new Date(lastUsedAt)} />
  return (
    <StepView tone="note" icon="key" title={name} time={lastUsedAt === null ? use : <>used {use}</>}>
      <span class="muted">
        since <ShortTime at={new Date(createdAt)} />
      </span>
      <p>
        <button type="button" class="btn" onClick={remove}>
          Remove<span class="hide"> {name}</span> …
        </button>
      </p>
    </StepView>
  )
}

const PATH = '/api/passkeys/registration'

interface NewPasskeyProps {
  readonly close: () => void
  readonly done: () => Promise<void>
}

/** Asks for a name, then has the browser make a passkey. */
function NewPasskeyDialog({ close, done }: NewPasskeyProps) {
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
