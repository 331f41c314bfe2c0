import { useMemo } from 'preact/hooks'
import { ForeignText } from './text.tsx'
import { VirtualLines } from './virtual-lines.tsx'

const NARROW = 40
const WIDE = 64

interface TextRowsProps {
  readonly label: string
  readonly text: string
}

/** A text of any length, cut into rows that fit. */
export function TextRows({ label, text }: TextRowsProps) {
  const rows = useMemo(() => rowsOf(text, matchMedia('(max-width: 48rem)').matches ? NARROW : WIDE), [text])
  return <Rows label={label} count={rows.length} row={(index) => text.slice(rows[index], rows[index + 1])} />
}

/** Where each row begins: after a line break, and after so many characters. */
export function rowsOf(text: string, width: number): readonly number[] {
  const rows: number[] = []
  let start = 0
  while (start < text.length || rows.length === 0) {
    rows.push(start)
    const end = text.indexOf('\n', start)
    const isFull = end === -1 || end >= start + width
    start = isFull ? start + width : end + 1
    if (isLowSurrogate(text.charCodeAt(start))) start++
  }
  return rows
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

const BYTES = 8

/** Bytes as hexadecimal digits, with the printable ones of ASCII beside them. */
export function HexRows({ label, bytes }: { readonly label: string; readonly bytes: Uint8Array }) {
  const count = Math.max(1, Math.ceil(bytes.length / BYTES))
  return <Rows label={label} count={count} row={(index) => hexRow(bytes, index * BYTES)} />
}

export function hexRow(bytes: Uint8Array, start: number): string {
  const row = Array.from(bytes.subarray(start, start + BYTES))
  const digits = row.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
  const letters = row.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·')).join('')
  return `${start.toString(16).padStart(6, '0')}  ${digits.padEnd(BYTES * 3 - 1)}  ${letters}`
}

interface RowsProps {
  readonly label: string
  readonly count: number
  readonly row: (index: number) => string
}

function Rows({ label, count, row }: RowsProps) {
  return (
    <VirtualLines
      class="tree grow scroll"
      role="region"
      tabIndex={0}
      aria-label={label}
      count={count}
      line={(index) => (
        <div class="line-of" key={index}>
          <ForeignText text={row(index).replace(/\n$/, '')} />
        </div>
      )}
    />
  )
}
