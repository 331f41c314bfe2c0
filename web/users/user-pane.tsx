import { useSignal } from '@preact/signals'
import { ask, type Response } from '../ask.ts'
import { facts } from '../facts.ts'
import { Badge } from '../ui/badge.tsx'
import { Dialog, FormField } from '../ui/dialog.tsx'
import { Pane, Part } from '../ui/pane.tsx'
import { Facts } from '../ui/text.tsx'
import { LiveTime } from '../ui/times.tsx'
import { tell } from '../ui/toast.tsx'
import type { UserRow } from './page.tsx'
import { RoleField } from './role-field.tsx'
import { SessionList } from './session-list.tsx'

interface UserPaneProps {
  readonly user: UserRow
  readonly reread: () => Promise<void>
  readonly close: () => void
}

type Asked = 'role' | 'password' | 'enabled' | 'sessions' | 'delete'

export function UserPane({ user, reread, close }: UserPaneProps) {
  const asked = useSignal<Asked | undefined>(undefined)
  const { id, username, role, enabled, createdAt, lastLoginAt } = user
  const path = `/api/users/${id}`
  const permissions = Object.entries(facts.permissions[role ?? ''] ?? {})
  const button = (what: Asked, label: string, isDangerous = false) => (
    <button type="button" class={isDangerous ? 'btn bad-btn' : 'btn'} onClick={() => (asked.value = what)}>
      {label} …
    </button>
  )
  return (
    <Pane
      title={
        <>
          {username}{' '}
          {enabled ? (
            <Badge tone="ok" isSolid>
              Active
            </Badge>
          ) : (
            <Badge tone="note" icon="pause" isSolid>
              Disabled
            </Badge>
          )}
        </>
      }
      note="user of the database"
      close={close}
    >
      <Part title="Account">
        <Facts
          rows={[
            ['Id', <code key="id">{id}</code>],
            ['Role', role ?? 'none'],
            ['Permissions', permissions.map(([type, names]) => `${names.join(', ')} on ${type}`).join('; ') || 'none'],
            ['Created', <LiveTime key="created" at={new Date(createdAt)} />],
            ['Last login', lastLoginAt === null ? 'never' : <LiveTime at={new Date(lastLoginAt)} />],
          ]}
        />
        <p>
          <a href={`/console/audit?${new URLSearchParams({ target: username })}`}>History</a>
        </p>
      </Part>
      <Part title="Sessions">
        <SessionList key={createdAt} path={`${path}/sessions`} />
        <p class="small muted">Tokens are not stored, so they are not listed. All of them can be refused at once.</p>
        <p class="row flow">{button('sessions', 'Log out everywhere', true)}</p>
      </Part>
      <Part title="Change">
        <p class="row flow">
          {button('role', 'Change role')}
          {button('password', 'Set password')}
          {button('enabled', enabled ? 'Disable' : 'Enable')}
          {button('delete', 'Delete', true)}
        </p>
        <p class="small muted">Each change ends the sessions and the tokens of the user.</p>
      </Part>
      {asked.value && (
        <Order
          key={asked.value}
          asked={asked.value}
          user={user}
          path={path}
          done={reread}
          close={() => (asked.value = undefined)}
        />
      )}
    </Pane>
  )
}

interface OrderProps {
  readonly asked: Asked
  readonly user: UserRow
  readonly path: string
  readonly done: () => Promise<void>
  readonly close: () => void
}

/** Asks for what a change needs, or whether it is meant. */
function Order({ asked, user: { username, role, enabled }, path, done, close }: OrderProps) {
  const patch = (body: object) => ask<Response<'usersUpdate'>>(path, { method: 'PATCH', body })
  const orders = {
    role: {
      title: `Change the role of ${username}`,
      action: 'Change',
      said: 'has another role',
      call: (fields: FormData) => patch({ role: fields.get('role') }),
      content: <RoleField value={role ?? 'ROLE_USER'} />,
    },
    password: {
      title: `Set a password for ${username}`,
      action: 'Set password',
      said: 'has a new password',
      call: (fields: FormData) => patch({ password: fields.get('password') }),
      content: (
        <FormField label="New password" name="password" hint="At least 8 characters, and not a common one.">
          <input id="field-password" name="password" type="password" required autocomplete="new-password" />
        </FormField>
      ),
    },
    enabled: {
      title: enabled ? `Disable ${username}?` : `Enable ${username}?`,
      action: enabled ? 'Disable' : 'Enable',
      said: enabled ? 'is disabled' : 'is enabled',
      call: () => patch({ enabled: !enabled }),
      content: <p class="small muted">{enabled ? 'The user cannot log in.' : 'The user can log in again.'}</p>,
    },
    sessions: {
      title: `Log ${username} out everywhere?`,
      action: 'Log out everywhere',
      said: 'is logged out everywhere',
      call: () => ask(`${path}/sessions`, { method: 'DELETE' }),
      content: (
        <p class="small muted">All sessions end, all tokens are refused, gRPC streams and STOMP sessions are closed.</p>
      ),
    },
    delete: {
      title: `Delete ${username}?`,
      action: 'Delete',
      said: 'is deleted',
      call: () => ask(path, { method: 'DELETE' }),
      content: <p class="small muted">The account cannot be restored.</p>,
    },
  } as const
  const { title, action, said, call, content } = orders[asked]

  async function submit(fields: FormData): Promise<undefined> {
    await call(fields)
    tell({ tone: 'ok', title: `${username} ${said}` })
    await done()
    return undefined
  }

  const isDangerous = asked === 'delete' || asked === 'sessions'
  return (
    <Dialog title={title} action={action} isDangerous={isDangerous} submit={submit} close={close}>
      {content}
    </Dialog>
  )
}
