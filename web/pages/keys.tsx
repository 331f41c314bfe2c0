import { useSignal } from '@preact/signals'
import type { keyPage, newApiKey } from '../../lib/contract/answers/accounts.ts'
import { ask, type Response } from '../ask.ts'
import { mount } from '../mount.tsx'
import { Action } from '../ui/action.tsx'
import { LookBadge } from '../ui/badge.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog, DialogButton, Field, textIn } from '../ui/dialog.tsx'
import { listPage } from '../ui/list-page.tsx'
import { timeColumn } from '../ui/list-table.tsx'
import { Part } from '../ui/pane.tsx'
import { Facts } from '../ui/text.tsx'
import { fromLocalInput, LiveTime, now, parseTime } from '../ui/times.tsx'

const EVENTS = `${location.origin}/api/webhooks/events`

type Key = Response<typeof keyPage>['keys'][number]

mount(
  listPage<Response<typeof keyPage>, Key>({
    title: 'API keys',
    caption: 'API keys, the newest first',
    path: '/api/keys',
    rowsOf: ({ keys }) => keys,
    keyOf: ({ id }) => id,
    columns: [
      { head: 'Name', class: 'fill', cell: ({ name }) => <b>{name}</b> },
      { head: 'Sources', class: 'c2', cell: sourcesOf },
      { head: 'Created by', class: 'c3', cell: ({ createdBy }) => createdBy },
      timeColumn('Last use', 'end c2', ({ lastUsedAt }) => lastUsedAt, 'never'),
      timeColumn('Expires', 'end', ({ expiresAt }) => expiresAt),
      { head: 'State', cell: (key) => <State apiKey={key} /> },
    ],
    actions: ({ reread }) => (
      <DialogButton class="main-btn" icon="plus" dialog={(close) => <NewKeyDialog close={close} done={reread} />}>
        Create a key …
      </DialogButton>
    ),
    empty: 'A key lets a machine read events: the list, single events and the stream.',
    foot: 'Only the hash of a key is stored: a key is shown once, when it is created.',
    pane: (key, { reread, close }) => ({
      title: key.name,
      note: <code>{key.id}</code>,
      children: (
        <>
          <Part title="Key">
            <Facts
              rows={{
                Sources: sourcesOf(key),
                'Created by': key.createdBy,
                Created: <LiveTime at={key.createdAt} />,
                Expires: <LiveTime at={key.expiresAt} />,
                'Last use': key.lastUsedAt === null ? 'never' : <LiveTime at={key.lastUsedAt} />,
              }}
            />
          </Part>
          <div>
            <Action
              label="Delete"
              isDangerous
              title={`Delete ${key.name}?`}
              action="Delete"
              run={() => ask(`/api/keys/${encodeURIComponent(key.id)}`, { method: 'DELETE' })}
              said={`${key.name} is deleted`}
              more="No call with it is accepted any more."
              done={() => reread().then(close)}
            >
              <p class="small muted">The machine that uses it is refused from then on.</p>
            </Action>
          </div>
        </>
      ),
    }),
  }),
)

function sourcesOf({ sources }: Key): string {
  return sources?.join(', ') ?? 'all'
}

function State({ apiKey: { expiresAt } }: { readonly apiKey: Key }) {
  const isActive = parseTime(expiresAt) > now.value
  return <LookBadge look={isActive ? { label: 'Active', tone: 'ok' } : { label: 'Expired', tone: 'note' }} />
}

/** Makes a key, and shows it this once. */
function NewKeyDialog({ close, done }: { readonly close: () => void; readonly done: () => Promise<void> }) {
  const made = useSignal<string | undefined>(undefined)

  async function make(fields: FormData): Promise<'stay'> {
    const sources = textIn(fields, 'sources')
      .split(/[\s,]+/)
      .filter(Boolean)
    const expiresAt = fromLocalInput(textIn(fields, 'expiresAt')).slice(0, -1)
    const body = {
      name: textIn(fields, 'name'),
      ...(sources.length > 0 && { sources }),
      ...(expiresAt !== '' && { expiresAt }),
    }
    made.value = (await ask<Response<typeof newApiKey>>('/api/keys', { method: 'POST', body })).key
    await done()
    return 'stay'
  }

  if (made.value !== undefined)
    return (
      <Dialog title="The key is created" close={close}>
        <p class="note small" data-tone="wait">
          Copy it now. It is not stored and cannot be shown again.
        </p>
        <pre class="code">{made.value}</pre>
        <p class="row flow">
          <CopyButton text={made.value} of="the key" />
          <CopyButton text={`curl ${EVENTS} -H 'X-Api-Key: ${made.value}'`} of="a call with it" isNamed />
        </p>
      </Dialog>
    )
  return (
    <Dialog title="Create an API key" action="Create" submit={make} close={close}>
      <Field label="Name" name="name" hint="For people: which machine has it." required maxLength={64} />
      <Field
        label="Sources (empty: all)"
        name="sources"
        hint="Names, separated by blanks: stripe github"
        spellcheck={false}
      />
      <Field label="Expires (local time; empty: in a year)" name="expiresAt" type="datetime-local" />
    </Dialog>
  )
}
