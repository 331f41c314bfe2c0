import { type Signal, useSignal } from '@preact/signals'
import { type Caller, NOBODY } from './callers.ts'
import { Dialog, Field } from './ui/dialog.tsx'

interface CallerChoiceProps {
  /** The way to call; a unique text on the page. */
  readonly label: string
  readonly caller: Signal<Caller>
  /** Callers to choose from. */
  readonly known: readonly Caller[]
  /** Whether the role matters. */
  readonly asksRole?: boolean
}

const TYPED = 'typed'
const OTHER = 'other'

/** Chooses a caller with a password: a demo user, or any other, who is typed into a dialog. */
export function CallerChoice({ label, caller, known, asksRole = false }: CallerChoiceProps) {
  const isTyping = useSignal(false)
  const index = known.indexOf(caller.value)

  function choose(value: string): void {
    const found = known[Number(value)]
    if (found) caller.value = found
    isTyping.value = value === OTHER
  }

  return (
    <div class="field caller">
      <span class="small muted">{label}</span>
      <select
        aria-label={`${label}: caller`}
        value={index < 0 ? TYPED : String(index)}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        {known.map(({ username, role }, at) => (
          <option key={username} value={at}>
            {role === null ? `${username} (no role)` : username}
          </option>
        ))}
        {index < 0 && <option value={TYPED}>{caller.value.username || 'no user'}</option>}
        <option value={OTHER}>another user …</option>
      </select>
      {isTyping.value && (
        <TypedCaller label={label} caller={caller} asksRole={asksRole} close={() => (isTyping.value = false)} />
      )}
    </div>
  )
}

interface TypedCallerProps extends Pick<CallerChoiceProps, 'label' | 'caller'> {
  readonly asksRole: boolean
  readonly close: () => void
}

function TypedCaller({ label, caller, asksRole, close }: TypedCallerProps) {
  async function take(fields: FormData): Promise<undefined> {
    const role = String(fields.get('role') ?? '')
    const [username, password] = [String(fields.get('username')), String(fields.get('password'))]
    caller.value = username === '' ? NOBODY : { username, password, role: role === '' ? null : role }
    return undefined
  }

  return (
    <Dialog title={`${label}: another user`} action="Use" submit={take} close={close}>
      <p class="small muted">Name and password stay in the memory of this page.</p>
      <Field
        label="User name"
        name="username"
        required
        autocomplete="username"
        autocapitalize="none"
        spellcheck={false}
      />
      <Field label="Password" name="password" type="password" required autocomplete="current-password" />
      {asksRole && (
        <Field label="Role" name="role" hint="What the page expects depends on it.">
          {(id) => (
            <select id={id} name="role">
              <option value="ROLE_USER">ROLE_USER</option>
              <option value="ROLE_ADMIN">ROLE_ADMIN</option>
              <option value="">no role</option>
            </select>
          )}
        </Field>
      )}
    </Dialog>
  )
}
