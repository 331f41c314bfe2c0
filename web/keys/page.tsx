import { useSignal } from '@preact/signals'
import { ask, type Response } from '../ask.ts'
import { pageAddress } from '../ui/address.ts'
import { Badge } from '../ui/badge.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { ListPage } from '../ui/list-page.tsx'
import type { Column } from '../ui/list-table.tsx'
import { pagedOf } from '../ui/paged.ts'
import { Pane, Part } from '../ui/pane.tsx'
import { Facts } from '../ui/text.tsx'
import { LiveTime, now, ShortTime } from '../ui/times.tsx'
import { tell } from '../ui/toast.tsx'
import { NewKeyDialog } from './new-key-dialog.tsx'

type Key = Response<'keys'>['keys'][number]

const address = pageAddress(['open'])
const list = pagedOf('/api/keys', ({ keys: rows, nextCursor }: Response<'keys'>) => ({ rows, nextCursor }))

const COLUMNS: readonly Column<Key>[] = [
  { head: 'Name', class: 'fill', cell: ({ name }) => <b>{name}</b> },
  { head: 'Sources', class: 'c2', cell: ({ sources }) => sources?.join(', ') ?? 'all' },
  { head: 'Made by', class: 'c3', cell: ({ createdBy }) => createdBy },
  {
    head: 'Last use',
    class: 'end c2',
    cell: ({ lastUsedAt }) =>
      lastUsedAt === null ? <span class="muted">never</span> : <ShortTime at={new Date(lastUsedAt)} />,
  },
  { head: 'Expires', class: 'end', cell: ({ expiresAt }) => <ShortTime at={new Date(expiresAt)} /> },
  { head: 'State', cell: (key) => <State apiKey={key} /> },
]

export function KeysPage() {
  const isNew = useSignal(false)
  return (
    <>
      <ListPage
        title="API keys"
        caption="API keys, the newest first"
        address={address}
        filters={[]}
        list={list}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        actions={
          <button type="button" class="btn main-btn" onClick={() => (isNew.value = true)}>
            <Icon name="plus" />
            Make a key …
          </button>
        }
        empty={<p class="muted">A key lets a machine read events: the list, single events and the stream.</p>}
        foot="Only the hash of a key is stored: a key is shown once, when it is made."
        pane={(key) => <KeyPane key={key.id} apiKey={key} />}
      />
      {isNew.value && <NewKeyDialog close={() => (isNew.value = false)} done={() => list.read()} />}
    </>
  )
}

function State({ apiKey: { expiresAt } }: { readonly apiKey: Key }) {
  return new Date(expiresAt) > now.value ? <Badge tone="ok">Active</Badge> : <Badge tone="note">Expired</Badge>
}

function KeyPane({ apiKey }: { readonly apiKey: Key }) {
  const isDeleting = useSignal(false)
  const { id, name, sources, createdAt, createdBy, expiresAt, lastUsedAt } = apiKey
  const close = () => address.go({ open: '' })

  async function remove(): Promise<undefined> {
    await ask(`/api/keys/${encodeURIComponent(id)}`, { method: 'DELETE' })
    tell({ tone: 'ok', title: `${name} is deleted`, text: 'No call with it is accepted any more.' })
    await list.read()
    close()
    return undefined
  }

  return (
    <Pane title={name} note={<code>{id}</code>} close={close}>
      <Part title="Key">
        <Facts
          rows={[
            ['Sources', sources?.join(', ') ?? 'all'],
            ['Made by', createdBy],
            ['Made', <LiveTime key="made" at={new Date(createdAt)} />],
            ['Expires', <LiveTime key="expires" at={new Date(expiresAt)} />],
            ['Last use', lastUsedAt === null ? 'never' : <LiveTime at={new Date(lastUsedAt)} />],
          ]}
        />
      </Part>
      <p>
        <button type="button" class="btn bad-btn" onClick={() => (isDeleting.value = true)}>
          Delete …
        </button>
      </p>
      {isDeleting.value && (
        <Dialog
          title={`Delete ${name}?`}
          action="Delete"
          isDangerous
          submit={remove}
          close={() => (isDeleting.value = false)}
        >
          <p class="small muted">The machine that uses it is refused from then on.</p>
        </Dialog>
      )}
    </Pane>
  )
}
