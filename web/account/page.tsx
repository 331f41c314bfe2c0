import { useSignal } from '@preact/signals'
import { ask } from '../ask.ts'
import { facts, loginHere } from '../facts.ts'
import { Passkeys } from '../passkeys/passkeys.tsx'
import { Dialog, FormField } from '../ui/dialog.tsx'
import { Empty, Sheet } from '../ui/layout.tsx'
import { Part } from '../ui/pane.tsx'
import { Facts } from '../ui/text.tsx'
import { tell } from '../ui/toast.tsx'
import { SessionList } from '../users/session-list.tsx'

const WAYS: Readonly<Record<string, string>> = {
  FORM: 'the login form',
  OAuth2: 'an identity provider',
  PASSKEY: 'a passkey',
}

export function AccountPage() {
  return <Sheet title="Your account">{facts.user ? <Account user={facts.user} /> : <Stranger />}</Sheet>
}

function Stranger() {
  return (
    <Empty title="You are not logged in">
      <a class="btn main-btn" href={loginHere()}>
        Log in
      </a>
    </Empty>
  )
}

function Account({ user }: { readonly user: NonNullable<typeof facts.user> }) {
  const isChanging = useSignal(false)
  const end = (id: string) => ask<void>(`/api/account/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' })
  return (
    <div class="pad stack wide">
      <Part title="Account" level={2}>
        <Facts
          rows={[
            ['User', user.username],
            ['Roles', user.roles.join(', ') || 'none'],
            ['Logged in by', WAYS[user.authType] ?? user.authType],
          ]}
        />
      </Part>
      <Part title="Password" level={2}>
        <p>
          <button type="button" class="btn" onClick={() => (isChanging.value = true)}>
            Change password …
          </button>
        </p>
      </Part>
      {facts.passkeys !== 'off' && (
        <Part title="Passkeys" level={2}>
          <Passkeys />
        </Part>
      )}
      <Part title="Sessions" level={2}>
        <SessionList path="/api/account/sessions" end={end} />
        <form method="post" action="/logout?everywhere=true">
          <input type="hidden" name="_csrf" value={facts.csrfToken} />
          <button type="submit" class="btn bad-btn">
            Log out everywhere
          </button>
        </form>
        <p class="small muted">It ends all sessions and refuses all tokens that were made before.</p>
      </Part>
      {isChanging.value && <PasswordDialog close={() => (isChanging.value = false)} />}
    </div>
  )
}

function PasswordDialog({ close }: { readonly close: () => void }) {
  async function change(fields: FormData): Promise<undefined> {
    await ask('/api/account/password', { method: 'POST', body: Object.fromEntries(fields) })
    tell({ tone: 'ok', title: 'The password is changed', text: 'Your other sessions and all tokens have ended.' })
    return undefined
  }

  return (
    <Dialog title="Change the password" action="Change" submit={change} close={close}>
      <FormField label="Current password" name="current">
        <input id="field-current" name="current" type="password" required autocomplete="current-password" />
      </FormField>
      <FormField label="New password" name="new" hint="At least 8 characters, and not a common one.">
        <input id="field-new" name="new" type="password" required autocomplete="new-password" />
      </FormField>
    </Dialog>
  )
}
