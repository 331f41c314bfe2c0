import type { ComponentChildren } from 'preact'
import { isPlainClick } from './links.tsx'
import { ShortTime } from './times.tsx'

export interface Column<Row> {
  readonly head: string
  /** `fill` takes what is left, `end` is for figures; `c3` leaves a narrow list first, then `c2`. */
  readonly class?: string
  readonly cell: (row: Row) => ComponentChildren
}

/** A column of times. @param none in the place of a time that is missing */
export function timeColumn<Row>(
  head: string,
  name: string,
  timeOf: (row: Row) => string | null,
  none?: string,
): Column<Row> {
  const cell = (row: Row) => {
    const at = timeOf(row)
    return at === null ? none && <span class="muted">{none}</span> : <ShortTime at={at} />
  }
  return { head, class: name, cell }
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
            <tr key={key} class="opens" onClick={(click) => follow(click, () => open(key))}>
              {columns.map(({ head, class: name = '', cell }) => (
                <td key={head} class={name}>
                  {name.includes('fill') ? (
                    <a href={linkTo(key)} aria-current={key === current ? 'true' : undefined}>
                      {cell(row)}
                    </a>
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

/** The whole row does what its link does. */
function follow(click: MouseEvent, open: () => void): void {
  if (!isPlainClick(click)) return
  click.preventDefault()
  open()
}
