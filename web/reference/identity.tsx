import { signal } from '@preact/signals'
import type { TargetedInputEvent } from 'preact'
import { basicCredentials, type Call } from '../call.ts'
import { facts, loginHere } from '../facts.ts'
import { Field } from '../ui/dialog.tsx'

const KINDS = {
  session: `Session: ${facts.user?.username ?? 'not logged in'}`,
  none: 'No credentials',
  bearer: 'Bearer token',
  basic: 'HTTP Basic',
  key: 'API key',
} as const

/** Who calls. What is typed stays in the memory of the page. */
interface Identity {
  readonly kind: keyof typeof KINDS
  readonly token: string
  readonly username: string
  readonly password: string
  readonly key: string
}

/** The fields of each kind, each with its label. */
const FIELDS: Readonly<Partial<Record<Identity['kind'], Readonly<Partial<Record<keyof Identity, string>>>>>> = {
  bearer: { token: 'Token' },
  basic: { username: 'User name', password: 'Password' },
  key: { key: 'API key' },
}

/** The caller of every operation of the page. */
const identity = signal<Identity>({
  kind: facts.user ? 'session' : 'none',
  token: '',
  username: '',
  password: '',
  key: '',
})

/** Chooses who calls, for every operation of the page. @param scope makes the ids of the fields unique */
export function IdentityFields({ scope }: { readonly scope: string }) {
  const { kind } = identity.value
  const change = (changes: Partial<Identity>) => (identity.value = { ...identity.value, ...changes })
  return (
    <>
      <Field scope={scope} name="as" label="Call as">
        {(id) => (
          <select
            id={id}
            value={kind}
            onChange={({ currentTarget }) => change({ kind: currentTarget.value as Identity['kind'] })}
          >
            {Object.entries(KINDS).map(([value, text]) => (
              <option key={value} value={value} disabled={value === 'session' && facts.user === null}>
                {text}
              </option>
            ))}
          </select>
        )}
      </Field>
      {facts.user === null && (
        <p class="small muted">
          <a href={loginHere()}>Log in</a> to call with a session.
        </p>
      )}
      {Object.entries(FIELDS[kind] ?? {}).map(([name, label]) => (
        <Field key={name} scope={scope} name={name} label={label}>
          {(id) => (
            <input
              id={id}
              {...(name === 'password' && { type: 'password' })}
              value={identity.value[name as keyof Identity]}
              autocomplete="off"
              spellcheck={false}
              onInput={({ currentTarget }: TargetedInputEvent<HTMLInputElement>) =>
                change({ [name]: currentTarget.value })
              }
            />
          )}
        </Field>
      ))}
    </>
  )
}

/** The credentials of a call; a session proves a change with its CSRF token. */
export function identityHeaders(method: string): Pick<Call, 'headers' | 'withSession'> {
  const { kind, token, username, password, key } = identity.peek()
  const own: Readonly<Record<Exclude<Identity['kind'], 'session'>, Readonly<Record<string, string>>>> = {
    none: {},
    bearer: { authorization: `Bearer ${bareToken(token)}` },
    basic: { authorization: basicCredentials(username, password) },
    key: { 'x-api-key': key.trim() },
  }
  if (kind !== 'session') return { headers: own[kind], withSession: false }
  return { headers: method === 'GET' ? {} : { 'x-xsrf-token': facts.csrfToken }, withSession: true }
}

/** A token as one pastes it: with its scheme, or broken into lines. */
function bareToken(text: string): string {
  return text.replace(/^\s*bearer\s/i, '').replaceAll(/\s/g, '')
}
