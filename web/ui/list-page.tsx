import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { type Address, pageAddress } from './address.ts'
import { Button } from './button.tsx'
import { type Filter, FilterField } from './filters.tsx'
import { Empty, PageBar, Scroll, Split } from './layout.tsx'
import { type Column, ListTable } from './list-table.tsx'
import { type Paged, pagedOf } from './paged.ts'
import { Pane, type PaneContent } from './pane.tsx'
import { Problem } from './text.tsx'
import { zone } from './times.tsx'

/** What a page does with its list. */
export interface ListTools {
  readonly reread: () => Promise<void>
  /** Opens the row with this key. */
  readonly open: (key: string) => void
  readonly close: () => void
}

/** A list of the console as data. All of its state is in the address: the filters, and the key of the open row. */
export interface ListDeclaration<Answer, Row> {
  readonly title: string
  /** The rows in words, for the caption. */
  readonly caption: string
  /** Of the list in the API. */
  readonly path: string
  readonly rowsOf: (answer: Answer) => readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly filters?: readonly Filter[]
  readonly columns: readonly Column<Row>[]
  /** Whether rows have two lines. */
  readonly isTall?: boolean
  /** Buttons at the right of the heading. */
  readonly actions?: (tools: ListTools) => ComponentChildren
  /** Above the filters. */
  readonly above?: () => ComponentChildren
  /** In the place of no rows: why there are none. */
  readonly empty: ComponentChildren
  readonly foot?: string
  readonly pane: (row: Row, tools: ListTools) => PaneContent
  /** Whether a row changes by itself, so that the list is read again every two seconds. */
  readonly isMoving?: (row: Row) => boolean
  /** The state of a page that has more than this list. */
  readonly address?: Address
}

const MOVING_MS = 2000

/** The page of a list: filters, rows, and the pane of the row that is open. */
export function listPage<Answer extends object, Row>(declaration: ListDeclaration<Answer, Row>) {
  const { filters = [], path, rowsOf, keyOf, isMoving = () => false } = declaration
  const names = filters.map(({ name }) => name)
  const address = declaration.address ?? pageAddress([...names, 'open'])
  const list = pagedOf(path, (answer: Answer) => ({ ...answer, rows: rowsOf(answer) }))
  const tools: ListTools = {
    reread: () => list.read(),
    open: (key) => address.go({ open: key }),
    close: () => address.go({ open: '' }),
  }

  return function ListPage() {
    const fields = address.fields.value
    const query = Object.fromEntries(names.map((name) => [name, fields[name] ?? '']))
    useEffect(() => void list.read(query), [JSON.stringify(query)])
    const rows = list.rows.value
    usePolling(rows?.some(isMoving) ?? false, tools.reread)
    const opened = rows?.find((row) => keyOf(row) === fields['open'])
    return (
      <Split
        label={declaration.title}
        list={<Content declaration={declaration} address={address} list={list} tools={tools} />}
        pane={
          opened && {
            label: fields['open'] ?? '',
            content: <Pane key={fields['open']} {...declaration.pane(opened, tools)} close={tools.close} />,
          }
        }
        close={() => closeRow(tools)}
      />
    )
  }
}

function usePolling(isWanted: boolean, read: () => Promise<void>): void {
  useEffect(() => {
    if (!isWanted) return undefined
    const timer = setInterval(() => document.hidden || void read(), MOVING_MS)
    return () => clearInterval(timer)
  }, [isWanted])
}

/** Closes the pane; the row that was open has the focus. */
function closeRow({ close }: ListTools): void {
  const row = document.querySelector<HTMLElement>('tbody a[aria-current]')
  close()
  row?.focus()
}

interface ContentProps<Answer, Row> {
  readonly declaration: ListDeclaration<Answer, Row>
  readonly address: Address
  readonly list: Paged<Row>
  readonly tools: ListTools
}

function Content<Answer, Row>({ declaration, address, list, tools }: ContentProps<Answer, Row>) {
  const { title, caption, filters = [], actions, above, foot } = declaration
  const length = list.rows.value?.length
  const hasMore = list.hasMore.value
  return (
    <>
      <PageBar title={title} note={length === undefined ? undefined : `${length}${hasMore ? ' or more' : ''}`}>
        {actions?.(tools)}
      </PageBar>
      {above?.()}
      {filters.length > 0 && <Filters filters={filters} address={address} />}
      <Problem text={list.trouble.value} />
      <Scroll label={caption}>
        <Rows declaration={declaration} address={address} list={list} tools={tools} />
      </Scroll>
      <div class="foot">
        <span>{list.isComplete.value ? foot : 'Not all rows were looked at: narrow the filter or load more'}</span>
        <span class="c1 c2">Times in {zone}</span>
        {hasMore && (
          <Button class="bare push" onClick={() => void list.readMore()}>
            Show more
          </Button>
        )}
      </div>
    </>
  )
}

interface FiltersProps {
  readonly filters: readonly Filter[]
  readonly address: Address
}

/** Drawn again for another address alone: what is being typed stays when rows come. */
function Filters({ filters, address }: FiltersProps) {
  const fields = address.fields.value
  return (
    <div class="bar line">
      {filters.map((filter) => (
        <FilterField
          key={filter.name}
          filter={filter}
          value={fields[filter.name] ?? ''}
          change={(value, isTyped) => address.go({ [filter.name]: value, ...(!isTyped && { open: '' }) }, isTyped)}
        />
      ))}
    </div>
  )
}

function Rows<Answer, Row>({ declaration, address, list, tools }: ContentProps<Answer, Row>) {
  const { caption, columns, keyOf, empty, isTall = false } = declaration
  const rows = list.rows.value
  if (rows === undefined && list.trouble.value !== undefined) return null
  if (rows?.length === 0)
    return list.hasMore.value ? (
      <Empty title="None among the newest">
        <p class="muted">Older ones were not searched. “Show more” continues.</p>
      </Empty>
    ) : (
      <Empty title="Nothing here">
        <p class="muted">{empty}</p>
      </Empty>
    )
  return (
    <ListTable
      caption={caption}
      isTall={isTall}
      columns={columns}
      rows={rows}
      keyOf={keyOf}
      current={address.fields.value['open'] ?? ''}
      linkTo={(row) => address.linkTo({ open: keyOf(row) })}
      open={(row) => tools.open(keyOf(row))}
    />
  )
}
