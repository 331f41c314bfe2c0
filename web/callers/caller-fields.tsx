import { type Signal, useSignal } from '@preact/signals'
import { type Caller, NOBODY } from './caller.ts'

interface Properties {
  /** The purpose; a unique text on the page. */
  readonly label: string
  readonly caller: Signal<Caller>
  /** Callers to choose from; without one, the user types a name and a password. */
  readonly known: readonly Caller[]
  /** Whether the role matters. */
  readonly asksRole?: boolean
}

/** Selects a caller with a password: a demo user, or any other. */
export function CallerFields({ label, caller, known, asksRole = false }: Properties) {
  const isTyped = useSignal(known.length === 0)

  function choose(username: string): void {
    const found = known.find((candidate) => candidate.username === username)
    isTyped.value = found === undefined
    caller.value = found ?? NOBODY
  }

  return (
    <fieldset class="fields">
      <legend>{label}</legend>
      {known.length > 0 && (
        <select
          aria-label={`${label}: who`}
          value={isTyped.value ? '' : caller.value.username}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          {known.map(({ username, role }) => (
            <option key={username} value={username}>
              {username} ({role ?? 'no role'})
            </option>
          ))}
          <option value="">somebody else…</option>
        </select>
      )}
      {isTyped.value && <TypedCaller label={label} caller={caller} asksRole={asksRole} />}
    </fieldset>
  )
}

function TypedCaller({ label, caller, asksRole }: Pick<Properties, 'label' | 'caller'> & { asksRole: boolean }) {
  const change = (changes: Partial<Caller>) => (caller.value = { ...caller.value, ...changes })
  return (
    <>
      <input
        aria-label={`${label}: user name`}
        placeholder="User name"
        autocomplete="username"
        autocapitalize="none"
        spellcheck={false}
        value={caller.value.username}
        onInput={({ currentTarget }) => change({ username: currentTarget.value })}
      />
      <input
        aria-label={`${label}: password`}
        placeholder="Password"
        type="password"
        autocomplete="current-password"
        value={caller.value.password}
        onInput={({ currentTarget }) => change({ password: currentTarget.value })}
      />
      {asksRole && (
        <select
          aria-label={`${label}: role`}
          value={caller.value.role ?? ''}
          onChange={({ currentTarget }) => change({ role: currentTarget.value || null })}
        >
          <option value="ROLE_ADMIN">ROLE_ADMIN</option>
          <option value="ROLE_USER">ROLE_USER</option>
          <option value="">no role</option>
        </select>
      )}
    </>
  )
}
