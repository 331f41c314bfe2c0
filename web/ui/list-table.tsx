import type { ComponentChildren } from 'preact'
import { isPlainClick } from './links.tsx'
import { asForeign } from './text.tsx'
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
  readonly isTall?: boolean
  readonly columns: readonly Column<Row>[]
  /** Undefined until they are read. */
  readonly rows: readonly Row[] | undefined
  readonly keyOf: (row: Row) => string
  /** The key of the row that is open. */
  readonly current: string
  readonly linkTo: (row: Row) => string
  readonly open: (row: Row) => void
  /** Whether a row has just come. */
  readonly isFresh?: (row: Row) => boolean
  /** Attributes of the link of a row. */
  readonly attributesOf?: (row: Row) => Readonly<Record<string, string | undefined>>
}

/** Rows that are drawn before the first answer. */
const SKELETON_ROWS = 16

/** A table whose rows open beside it: the cell that fills the row is a link. */
export function ListTable<Row>(props: ListTableProps<Row>) {
  const { caption, isTall = false, columns, rows, keyOf } = props
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
        {rows
          ? rows.map((row) => <TableRow key={keyOf(row)} {...props} row={row} />)
          : Array.from({ length: SKELETON_ROWS }, (_, index) => <SkeletonRow key={index} columns={columns} />)}
      </tbody>
    </table>
  )
}

/** The whole row does what its link does. */
function TableRow<Row>(props: ListTableProps<Row> & { readonly row: Row }) {
  const { row, columns, keyOf, current, linkTo, open, isFresh, attributesOf } = props
  const key = keyOf(row)

  function follow(click: MouseEvent): void {
    if (!isPlainClick(click)) return
    click.preventDefault()
    open(row)
  }

  return (
    <tr class={isFresh?.(row) ? 'opens fresh' : 'opens'} onClick={follow}>
      {columns.map(({ head, class: name = '', cell }) => (
        <td key={head} class={name}>
          {name.includes('fill') ? (
            <a href={linkTo(row)} aria-current={key === current ? 'true' : undefined} {...attributesOf?.(row)}>
              {asForeign(cell(row))}
            </a>
          ) : (
            asForeign(cell(row))
          )}
        </td>
      ))}
    </tr>
  )
}

function SkeletonRow<Row>({ columns }: Pick<ListTableProps<Row>, 'columns'>) {
  return (
    <tr>
      {columns.map(({ head, class: name }) => (
        <td key={head} class={name}>
          <div class="skel" />
        </td>
      ))}
    </tr>
  )
}
