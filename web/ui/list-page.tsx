import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Address } from './address.ts'
import { Empty, PageBar, Scroll, Split } from './layout.tsx'
import { type Column, ListTable } from './list-table.tsx'
import type { Paged } from './paged.ts'
import { zone } from './times.tsx'

interface ListPageProps<Row> {
  readonly title: string
  /** The rows in words, for the caption. */
  readonly caption: string
  /** With the filters, and `open` for the key of the row that is open. */
  readonly address: Address
  /** The names of the address that the service filters by. */
  readonly filters: readonly string[]
  readonly list: Paged<Row>
  readonly columns: readonly Column<Row>[]
  readonly keyOf: (row: Row) => string
  readonly actions?: ComponentChildren
  /** Above the filters. */
  readonly above?: ComponentChildren
  /** Whether rows have two lines. */
  readonly isTall?: boolean
  /** Below the heading: filters. */
  readonly toolbar?: ComponentChildren
  readonly empty: ComponentChildren
  readonly foot?: ComponentChildren
  readonly pane: (row: Row) => ComponentChildren
}

/** A list of the console: filters, rows, and the pane of the one that is open. All of it is in the address. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { title, address, list, filters, keyOf, actions, toolbar, foot, pane } = props
  const fields = address.fields.value
  const query = Object.fromEntries(filters.map((name) => [name, fields[name] ?? '']))
  const asked = JSON.stringify(query)
  useEffect(() => void list.read(query), [asked])
  const rows = list.rows.value
  const opened = rows?.find((row) => keyOf(row) === fields['open'])
  const content = (
    <>
      <PageBar title={title} note={rows && countOf(rows.length, list.hasMore.value)}>
        {actions}
      </PageBar>
      {props.above}
      {toolbar && <div class="bar line">{toolbar}</div>}
      {list.trouble.value !== undefined && (
        <p class="note" data-tone="bad" role="alert">
          {list.trouble.value}
        </p>
      )}
      <Scroll label={props.caption}>
        <Rows {...props} />
      </Scroll>
      <div class="foot">
        <span>{foot}</span>
        <span class="c1 c2">Times in {zone}</span>
        {list.hasMore.value && (
          <button type="button" class="btn bare push" onClick={() => void list.readMore()}>
            Show more
          </button>
        )}
      </div>
    </>
  )
  return (
    <Split
      label={title}
      list={content}
      pane={opened && { label: fields['open'] ?? title, content: pane(opened) }}
      close={() => closeRow(address)}
    />
  )
}

/** Closes the pane; the row that was open has the focus. */
function closeRow(address: Address): void {
  const row = document.querySelector<HTMLElement>('tbody a[aria-current]')
  address.go({ open: '' })
  row?.focus()
}

function countOf(length: number, hasMore: boolean): string {
  return hasMore ? `${length} or more` : `${length}`
}

function Rows<Row>(props: ListPageProps<Row>) {
  const { list, columns, keyOf, address, caption, empty, isTall = false } = props
  const rows = list.rows.value
  if (rows === undefined) return list.trouble.value === undefined ? <Skeleton /> : null
  if (rows.length === 0) return <Empty title="Nothing here">{empty}</Empty>
  return (
    <ListTable
      caption={caption}
      isTall={isTall}
      columns={columns}
      rows={rows}
      keyOf={keyOf}
      current={address.fields.value['open'] ?? ''}
      linkTo={(key) => address.linkTo({ open: key })}
      open={(key) => address.go({ open: key })}
    />
  )
}

function Skeleton() {
  return (
    <div class="pad stack" aria-busy="true">
      <span class="hide">Loading</span>
      {[0, 1, 2].map((row) => (
        <div key={row} class="skel" />
      ))}
    </div>
  )
}
