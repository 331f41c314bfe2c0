import type { ComponentChildren } from 'preact'

export interface Column<Row> {
  readonly head: string
  /** `fill` takes what is left, `end` is for figures; `c3` leaves a narrow list first, then `c2`. */
  readonly class?: string
  readonly cell: (row: Row) => ComponentChildren
}

interface ListTableProps<Row> {
  readonly caption: string
  /** Whether rows have two lines. */
  readonly isTall: boolean
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** The key of the row that is open. */
  readonly current: string
  readonly linkTo: (key: string) => string
  readonly open: (key: string) => void
}

/** A table whose rows open beside it: the cell that fills the row is a link. */
export function ListTable<Row>({ caption, isTall, columns, rows, keyOf, current, linkTo, open }: ListTableProps<Row>) {
  return (
    <table class={isTall ? 'tall' : undefined}>
      <caption class="hide">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ head, class: name }) => (
            <th key={head} scope="col" class={name}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const key = keyOf(row)
          return (
            // The link in the row does the same for keys.
            <tr key={key} class="opens" onClick={() => open(key)}>
              {columns.map(({ head, class: name = '', cell }) => (
                <td key={head} class={name}>
                  {name.includes('fill') ? (
                    <RowLink address={linkTo(key)} isCurrent={key === current} open={() => open(key)}>
                      {cell(row)}
                    </RowLink>
                  ) : (
                    cell(row)
                  )}
                </td>
              ))}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

interface RowLinkProps {
  readonly address: string
  readonly isCurrent: boolean
  readonly open: () => void
  readonly children: ComponentChildren
}

function RowLink({ address, isCurrent, open, children }: RowLinkProps) {
  return (
    <a
      href={address}
      aria-current={isCurrent ? 'true' : undefined}
      onClick={(event) => {
        event.stopPropagation()
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        open()
      }}
    >
      {children}
    </a>
  )
}
