import { ForeignText } from './foreign-text.tsx'
import { Icon } from './icon.tsx'
import { isContainer, type JsonLines, keyText, valueText } from './json-tree-lines.ts'

/** Of a longer value so many characters are drawn; the button copies all of it. */
const DRAWN = 400

/** More levels than these are drawn like the last one. */
const INDENTS = 24

interface TreeLineProps {
  readonly lines: JsonLines
  readonly line: number
  readonly isFolded: boolean
  readonly isCurrent: boolean
  readonly hint: (line: number) => string | undefined
}

/** One line of a tree. */
export function TreeLine({ lines, line, isFolded, isCurrent, hint }: TreeLineProps) {
  const depth = Math.max(0, (lines.depths[line] ?? 0) - 1)
  const hasLines = isContainer(lines, line)
  const meaning = hasLines ? undefined : hint(line)
  return (
    <div
      class={isCurrent ? 'line-of on' : 'line-of'}
      role="treeitem"
      tabIndex={-1}
      id={`line-${line}`}
      data-line={line}
      aria-level={depth + 1}
      aria-selected={isCurrent}
      aria-expanded={hasLines ? !isFolded : undefined}
    >
      {Array.from({ length: Math.min(depth, INDENTS) }, (_, level) => (
        <s key={level} />
      ))}
      <span class="fold">{hasLines && <Icon name={isFolded ? 'right' : 'down'} />}</span>
      <Key lines={lines} line={line} />
      {hasLines ? <Opening lines={lines} line={line} isFolded={isFolded} /> : <Value text={valueText(lines, line)} />}
      {meaning !== undefined && <span class="muted"> {meaning}</span>}
    </div>
  )
}

function Key({ lines, line }: Pick<TreeLineProps, 'lines' | 'line'>) {
  const key = keyText(lines, line)
  if (lines.parents[line] === -1) return null
  if (key === undefined) return <span class="muted">{lines.positions[line]}: </span>
  return (
    <>
      <b>
        <ForeignText text={key.slice(1, -1)} />
      </b>
      {': '}
    </>
  )
}

function Opening({ lines, line, isFolded }: Pick<TreeLineProps, 'lines' | 'line' | 'isFolded'>) {
  const isList = lines.text[lines.starts[line] ?? 0] === '['
  const size = lines.sizes[line] ?? 0
  const noun = isList ? 'item' : 'field'
  const [open, close] = isList ? '[]' : '{}'
  const content = isFolded ? ` ${size.toLocaleString('en')} ${noun}${size === 1 ? '' : 's'} ${close}` : ''
  return (
    <span class="muted">
      {open}
      {content}
    </span>
  )
}

function Value({ text }: { readonly text: string }) {
  const isText = text.startsWith('"')
  const drawn = <ForeignText text={text.length > DRAWN ? `${text.slice(0, DRAWN)}…` : text} />
  return (
    <>
      {isText ? <i>{drawn}</i> : <u>{drawn}</u>}
      {text.length > DRAWN && <span class="muted"> {text.length.toLocaleString('en')} characters</span>}
    </>
  )
}
