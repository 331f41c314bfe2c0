import type { Tone } from '../ui/badge.tsx'
import { isPlainClick } from '../ui/links.tsx'

/** What a cell shows. */
export interface CellLook {
  readonly text: string
  /** Undefined for an expectation that was not tried. */
  readonly tone: Tone | undefined
}

interface CellLinkProps extends CellLook {
  /** The call in words. */
  readonly label: string
  readonly address: string
  readonly isOpen: boolean
  /** Whether Tab stops here; arrow keys lead to the others. */
  readonly isStop: boolean
  /** Cells in a row. */
  readonly columns: number
  readonly open: () => void
}

/** A cell of a matrix: a link that opens it beside the matrix. */
export function CellLink({ text, tone, label, address, isOpen, isStop, columns, open }: CellLinkProps) {
  return (
    <a
      class={tone === undefined ? 'cell due' : 'cell'}
      data-tone={tone}
      href={address}
      aria-current={isOpen ? 'true' : undefined}
      tabIndex={isStop ? 0 : -1}
      onKeyDown={(event) => moveBetweenCells(event, columns)}
      onClick={(click) => {
        if (!isPlainClick(click)) return
        click.preventDefault()
        open()
      }}
    >
      {text}
      <span class="hide">
        {tone === undefined && ' expected'}: {label}
      </span>
    </a>
  )
}

type KeyOfCell = KeyboardEvent & { readonly currentTarget: HTMLElement }

function moveBetweenCells(event: KeyOfCell, columns: number): void {
  const { key, currentTarget: cell } = event
  const cells = [...(cell.closest('table')?.querySelectorAll<HTMLElement>('.cell') ?? [])]
  const at = cells.indexOf(cell)
  const isFirst = at % columns === 0
  const isLast = (at + 1) % columns === 0
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: isFirst ? 0 : -1,
    ArrowRight: isLast ? 0 : 1,
    ArrowUp: -columns,
    ArrowDown: columns,
  }
  const next = cells[at + (steps[key] ?? Number.NaN)]
  if (!next) return
  event.preventDefault()
  next.focus()
}
