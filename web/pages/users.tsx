import type { ComponentChildren } from 'preact'
import type { createdUser, keyPage, userPage, userRecord } from '../../lib/contract/answers/accounts.ts'
import type { passkeyList } from '../../lib/contract/answers/logins.ts'
import { ask, type Response, useAnswer } from '../ask.ts'
import { CredentialSteps } from '../credential-steps.tsx'
import { facts } from '../facts.ts'
import { mount } from '../mount.tsx'
import { SessionList } from '../session-list.tsx'
import { Action } from '../ui/action.tsx'
import { type Look, LookBadge } from '../ui/badge.tsx'
import { Field, NewPassword } from '../ui/dialog.tsx'
import { type ListTools, listPage } from '../ui/list-page.tsx'
import { timeColumn } from '../ui/list-table.tsx'
import { Part } from '../ui/pane.tsx'
import { Facts } from '../ui/text.tsx'
import { LiveTime } from '../ui/times.tsx'

type User = Response<typeof userPage>['users'][number]

const ACTIVE: Look = { label: 'Active', tone: 'ok' }
const DISABLED: Look = { label: 'Disabled', tone: 'note', icon: 'pause' }
const lookOf = ({ enabled }: User) => (enabled ? ACTIVE : DISABLED)

mount(
  listPage<Response<typeof userPage>, User>({
    title: 'Users',
    caption: 'Users of the database',
    path: '/api/users',
    rowsOf: ({ users }) => users,
    keyOf: ({ id }) => id,
    columns: [
      {
        head: 'User',
        class: 'fill',
        cell: ({ username }) => (
          <>
            <b>{username}</b> {username === facts.user?.username && <span class="chip">you</span>}
          </>
        ),
      },
      { head: 'Role', cell: ({ role }) => role ?? <span class="muted">none</span> },
      timeColumn('Created', 'end c3', ({ createdAt }) => createdAt),
      timeColumn('Last login', 'end c2', ({ lastLoginAt }) => lastLoginAt, 'never'),
      { head: 'State', cell: (user) => <LookBadge look={lookOf(user)} /> },
    ],
    actions: ({ reread, open }) => (
      <Action
        label="Create user"
        icon="plus"
        class="main-btn"
        title="Create a user"
        action="Create"
        run={(fields) =>
          ask<Response<typeof createdUser>>('/api/users', { method: 'POST', body: Object.fromEntries(fields) })
        }
        said={({ username }) => `${username} is created`}
        done={({ id }) => reread().then(() => open(id))}
      >
        <Field label="User name" name="username" required maxLength={64} autocomplete="off" spellcheck={false} />
        <NewPassword label="Password" name="password" />
        <RoleField value="ROLE_USER" />
      </Action>
    ),
    empty: 'The database has no user.',
    foot: 'Users of the directory and of identity providers are changed there.',
    pane: (user, { reread }) => ({
      title: user.username,
      look: lookOf(user),
      note: 'user of the database',
      children: <Details user={user} reread={reread} />,
    }),
  }),
)

type DetailsProps = Pick<ListTools, 'reread'> & { readonly user: User }

function Details({ user, reread }: DetailsProps) {
  const { id, username, role, createdAt, lastLoginAt } = user
  const permissions = Object.entries(facts.permissions[role ?? ''] ?? {})
  return (
    <>
      <Part title="Account">
        <Facts
          rows={{
            Id: <code>{id}</code>,
            Role: role ?? 'none',
            Permissions: permissions.map(([type, names]) => `${names.join(', ')} on ${type}`).join('; ') || 'none',
            Created: <LiveTime at={createdAt} />,
            'Last login': lastLoginAt === null ? 'never' : <LiveTime at={lastLoginAt} />,
          }}
        />
        <p>
          <a href={`/console/audit?${new URLSearchParams({ target: username })}`}>History</a>
        </p>
      </Part>
      <Changes user={user} reread={reread} />
    </>
  )
}

/** The sessions of a user, and all that an admin may change. */
function Changes({ user: { id, username, role, enabled }, reread }: DetailsProps) {
  const path = `/api/users/${id}`
  const patch = (body: object) => ask<Response<typeof userRecord>>(path, { method: 'PATCH', body })
  const said = (what: string) => ({ said: `${username} ${what}`, done: reread })
  const remark = (text: string): ComponentChildren => <p class="small muted">{text}</p>
  return (
    <>
      <Part title="Sessions">
        <SessionList path={`${path}/sessions`} />
        {remark('Tokens are not stored, so they are not listed. All of them can be refused at once.')}
        <div class="row flow">
          <Action
            label="Log out everywhere"
            isDangerous
            title={`Log ${username} out everywhere?`}
            action="Log out everywhere"
            run={() => ask(`${path}/sessions`, { method: 'DELETE' })}
            {...said('is logged out everywhere')}
          >
            {remark('All sessions end, all tokens are refused, gRPC streams and STOMP sessions are closed.')}
          </Action>
        </div>
      </Part>
      <Part title="Passkeys and API keys">
        <Credentials path={`${path}/passkeys`} removeAt={`${path}/passkeys`} />
        <Credentials path={`${path}/keys?limit=200`} removeAt="/api/keys" />
      </Part>
      <Part title="Change">
        <div class="row flow">
          <Action
            label="Change role"
            title={`Change the role of ${username}`}
            action="Change"
            run={(fields) => patch({ role: fields.get('role') })}
            {...said('has another role')}
          >
            <RoleField value={role ?? 'ROLE_USER'} />
          </Action>
          <Action
            label="Set password"
            title={`Set a password for ${username}`}
            action="Set password"
            run={(fields) => patch({ password: fields.get('password') })}
            {...said('has a new password')}
          >
            <NewPassword label="New password" name="password" />
          </Action>
          <Action
            label={enabled ? 'Disable' : 'Enable'}
            title={enabled ? `Disable ${username}?` : `Enable ${username}?`}
            action={enabled ? 'Disable' : 'Enable'}
            run={() => patch({ enabled: !enabled })}
            {...said(enabled ? 'is disabled' : 'is enabled')}
          >
            {remark(enabled ? 'The user cannot log in.' : 'The user can log in again.')}
          </Action>
          <Action
            label="Delete"
            isDangerous
            title={`Delete ${username}?`}
            action="Delete"
            run={() => ask(path, { method: 'DELETE' })}
            {...said('is deleted')}
          >
            {remark('The account cannot be restored.')}
          </Action>
        </div>
        {remark(
          'Each change ends the sessions and the tokens of the user, another role also the API keys, a new password everything.',
        )}
      </Part>
    </>
  )
}

interface CredentialsProps {
  readonly path: string
  readonly removeAt: string
}

function Credentials({ path, removeAt }: CredentialsProps) {
  const { answer, problem, reread } = useAnswer<Partial<Response<typeof passkeyList> & Response<typeof keyPage>>>(path)
  const { passkeys, keys = [] } = answer.value ?? {}
  const rows = passkeys ?? keys
  if (problem.value !== undefined) return <p class="muted small">{problem.value}</p>
  if (answer.value && rows.length === 0) return <p class="muted small">No {passkeys ? 'passkey' : 'API key'}.</p>
  return (
    <CredentialSteps rows={rows} path={removeAt} reread={reread}>
      It cannot be used to log in any more. Open sessions continue.
    </CredentialSteps>
  )
}

function RoleField({ value }: { readonly value: string }) {
  return (
    <Field label="Role" name="role">
      {(id) => (
        <select id={id} name="role">
          <option selected={value === 'ROLE_USER'}>ROLE_USER</option>
          <option selected={value === 'ROLE_ADMIN'}>ROLE_ADMIN</option>
        </select>
      )}
    </Field>
  )
}
