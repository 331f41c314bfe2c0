import { useSignal } from '@preact/signals'
import { ask, type Response } from '../ask.ts'
import { facts } from '../facts.ts'
import { pageAddress } from '../ui/address.ts'
import { Badge } from '../ui/badge.tsx'
import { Dialog, FormField } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { ListPage } from '../ui/list-page.tsx'
import type { Column } from '../ui/list-table.tsx'
import { pagedOf } from '../ui/paged.ts'
import { ShortTime } from '../ui/times.tsx'
import { tell } from '../ui/toast.tsx'
import { RoleField } from './role-field.tsx'
import { UserPane } from './user-pane.tsx'

export type UserRow = Response<'users'>['users'][number]

const address = pageAddress(['open'])
const list = pagedOf('/api/users', ({ users: rows, nextCursor }: Response<'users'>) => ({ rows, nextCursor }))

const COLUMNS: readonly Column<UserRow>[] = [
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
  { head: 'Created', class: 'end c3', cell: ({ createdAt }) => <ShortTime at={new Date(createdAt)} /> },
  {
    head: 'Last login',
    class: 'end c2',
    cell: ({ lastLoginAt }) =>
      lastLoginAt === null ? <span class="muted">never</span> : <ShortTime at={new Date(lastLoginAt)} />,
  },
  {
    head: 'State',
    cell: ({ enabled }) =>
      enabled ? (
        <Badge tone="ok">Active</Badge>
      ) : (
        <Badge tone="note" icon="pause">
          Disabled
        </Badge>
      ),
  },
]

export function UsersPage() {
  const isNew = useSignal(false)
  return (
    <>
      <ListPage
        title="Users"
        caption="Users of the database"
        address={address}
        filters={[]}
        list={list}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        actions={
          <button type="button" class="btn main-btn" onClick={() => (isNew.value = true)}>
            <Icon name="plus" />
            Create user …
          </button>
        }
        empty={<p class="muted">The database has no user.</p>}
        foot="Users of the directory and of identity providers are changed there."
        pane={(user) => (
          <UserPane key={user.id} user={user} reread={() => list.read()} close={() => address.go({ open: '' })} />
        )}
      />
      {isNew.value && <NewUserDialog close={() => (isNew.value = false)} />}
    </>
  )
}

function NewUserDialog({ close }: { readonly close: () => void }) {
  async function create(fields: FormData): Promise<undefined> {
    const { id, username } = await ask<Response<'usersCreate'>>('/api/users', {
      method: 'POST',
      body: Object.fromEntries(fields),
    })
    tell({ tone: 'ok', title: `${username} is created` })
    await list.read()
    address.go({ open: id })
    return undefined
  }

  return (
    <Dialog title="Create a user" action="Create" submit={create} close={close}>
      <FormField label="User name" name="username">
        <input id="field-username" name="username" required maxLength={64} autocomplete="off" spellcheck={false} />
      </FormField>
      <FormField label="Password" name="password" hint="At least 8 characters, and not a common one.">
        <input id="field-password" name="password" type="password" required autocomplete="new-password" />
      </FormField>
      <RoleField value="ROLE_USER" />
    </Dialog>
  )
}
