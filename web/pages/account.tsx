import type { passkeyList } from '../../lib/contract/answers/logins.ts'
import { ask, type Response, useAnswer } from '../ask.ts'
import { CredentialSteps } from '../credential-steps.tsx'
import { facts, loginHere } from '../facts.ts'
import { mount } from '../mount.tsx'
import { createPasskey, hasPasskeys } from '../passkeys.ts'
import { SessionList } from '../session-list.tsx'
import { Action } from '../ui/action.tsx'
import { Field, NewPassword, textIn } from '../ui/dialog.tsx'
import { Empty, Sheet } from '../ui/layout.tsx'
import { Part } from '../ui/pane.tsx'
import { Facts } from '../ui/text.tsx'

const METHODS: Readonly<Record<string, string>> = {
  FORM: 'the login form',
  OAuth2: 'an identity provider',
  PASSKEY: 'a passkey',
}

const PASSKEYS = '/api/passkeys'
const REGISTRATION = `${PASSKEYS}/registration`

mount(() => <Sheet title="Your account">{facts.user ? <Account user={facts.user} /> : <Stranger />}</Sheet>)

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
  const end = (id: string) => ask<void>(`/api/account/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' })
  return (
    <div class="pad stack wide">
      <Part title="Account" level={2}>
        <Facts
          rows={{
            User: user.username,
            Roles: user.roles.join(', ') || 'none',
            'Logged in by': METHODS[user.authType] ?? user.authType,
          }}
        />
      </Part>
      <Part title="Password" level={2}>
        <div>
          <Action
            label="Change password"
            title="Change the password"
            action="Change"
            run={(fields) => {
              const body = { ...Object.fromEntries(fields), everything: fields.has('everything') }
              return ask('/api/account/password', { method: 'POST', body })
            }}
            said="The password is changed"
            more="Your other sessions and all tokens have ended."
          >
            <Field label="Current password" name="current" type="password" required autocomplete="current-password" />
            <NewPassword label="New password" name="new" />
            <label class="small">
              <input type="checkbox" name="everything" checked /> Remove my passkeys and API keys, too
            </label>
          </Action>
        </div>
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
    </div>
  )
}

/** The passkeys of the account, or why it cannot have any. */
function Passkeys() {
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
  const { answer, problem, reread } = useAnswer<Response<typeof passkeyList>>(PASSKEYS)
  const passkeys = answer.value?.passkeys ?? []
  if (problem.value !== undefined) return <p class="muted small">{problem.value}</p>
  return (
    <>
      <p class="small muted">A passkey logs you in without a password: with a fingerprint, a face or a PIN.</p>
      {passkeys.length > 0 && (
        <CredentialSteps rows={passkeys} path={PASSKEYS} reread={reread} more="Delete it from your device, too.">
          It can no longer log you in. Open sessions continue.
        </CredentialSteps>
      )}
      <div>
        <Action
          label="Add a passkey"
          icon="plus"
          title="Add a passkey"
          action="Add"
          run={addPasskey}
          said={(name) => `${name} is added`}
          more="You can log in with it from now on."
          done={reread}
        >
          <Field
            label="Name"
            name="name"
            hint="Where it is: laptop, phone, security key. Your browser asks next."
            type="text"
            required
            maxLength={64}
            autocomplete="off"
          />
        </Action>
      </div>
    </>
  )
}

/** Has the browser make a passkey, and stores it under the name that was entered. */
async function addPasskey(fields: FormData): Promise<string> {
  const name = textIn(fields, 'name')
  const options = await ask<PublicKeyCredentialCreationOptionsJSON>(`${REGISTRATION}/options`, { method: 'POST' })
  const credential = await createPasskey(options)
  await ask(REGISTRATION, { method: 'POST', body: { name, credential } })
  return name
}
