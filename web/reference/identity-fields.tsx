import type { TargetedInputEvent } from 'preact'
import { facts, loginHere } from '../facts.ts'
import { type Identity, type IdentityKind, identity } from './identity.ts'
import { LabeledField } from './labeled-field.tsx'

const KINDS: Readonly<Record<IdentityKind, string>> = {
  session: `Session: ${facts.user?.username ?? 'not logged in'}`,
  none: 'No credentials',
  bearer: 'Bearer token',
  basic: 'HTTP Basic',
  key: 'API key',
}

/** Chooses who calls, for every operation of the page. @param scope makes the ids of the fields unique */
export function IdentityFields({ scope }: { readonly scope: string }) {
  const { kind } = identity.value
  const change = (changes: Partial<Identity>) => (identity.value = { ...identity.value, ...changes })
  const typed = (name: 'token' | 'username' | 'password' | 'key') => ({
    value: identity.value[name],
    autocomplete: 'off',
    spellcheck: false,
    onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => change({ [name]: currentTarget.value }),
  })
  return (
    <>
      <LabeledField scope={scope} name="as" label="Call as">
        {(id) => (
          <select
            id={id}
            value={kind}
            onChange={({ currentTarget }) => change({ kind: currentTarget.value as IdentityKind })}
          >
            {Object.entries(KINDS).map(([value, text]) => (
              <option key={value} value={value} disabled={value === 'session' && facts.user === null}>
                {text}
              </option>
            ))}
          </select>
        )}
      </LabeledField>
      {facts.user === null && (
        <p class="small muted">
          <a href={loginHere()}>Log in</a> to call with a session.
        </p>
      )}
      {kind === 'bearer' && (
        <LabeledField scope={scope} name="token" label="Token">
          {(id) => <input id={id} {...typed('token')} />}
        </LabeledField>
      )}
      {kind === 'basic' && (
        <>
          <LabeledField scope={scope} name="username" label="User name">
            {(id) => <input id={id} {...typed('username')} />}
          </LabeledField>
          <LabeledField scope={scope} name="password" label="Password">
            {(id) => <input id={id} type="password" {...typed('password')} />}
          </LabeledField>
        </>
      )}
      {kind === 'key' && (
        <LabeledField scope={scope} name="key" label="API key">
          {(id) => <input id={id} {...typed('key')} />}
        </LabeledField>
      )}
    </>
  )
}
