import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { CopyButton } from './copy-button.tsx'
import { Icon } from './icon.tsx'
import { isContainer, type JsonLines, keyText, matchesOf, opened, pathTo, unfolded, valueText } from './json-lines.ts'
import { ForeignText } from './text.tsx'
import { VirtualLines } from './virtual-lines.tsx'

interface JsonTreeProps {
  readonly lines: JsonLines
  /** What a value means, beside it. */
  readonly hint: (line: number) => string | undefined
  /** Beside the path: the size and the like. */
  readonly note: string
  /** Buttons beside the search. */
  readonly children: ComponentChildren
}

/** JSON as a tree: to fold, to search, and to copy values and paths from. */
export function JsonTree({ lines, hint, note, children }: JsonTreeProps) {
  const folded = useSignal<ReadonlySet<number>>(new Set())
  const chosen = useSignal<number | undefined>(undefined)
  const words = useSignal('')
  const shown = useMemo(() => unfolded(lines, folded.value), [lines, folded.value])
  const found = useMemo(() => matchesOf(lines, words.value), [lines, words.value])
  const current = chosen.value ?? shown[0] ?? 0
  const position = shown.indexOf(current)

  function choose(line: number | undefined): void {
    if (line === undefined) return
    folded.value = opened(lines, folded.peek(), line)
    chosen.value = line
  }

  function toggle(line: number, isFolded = !folded.peek().has(line)): void {
    if (!isContainer(lines, line)) return
    const next = new Set(folded.peek())
    if (isFolded) next.add(line)
    else next.delete(line)
    folded.value = next
    chosen.value = line
  }

  function search(text: string): void {
    words.value = text
    choose(matchesOf(lines, text)[0])
  }

  /** Goes to the next match, or back to the previous one; from the last to the first. */
  function step(by: 1 | -1): void {
    const at = found.indexOf(current)
    choose(found.at((at + by) % found.length))
  }

  function left(): void {
    const isOpen = isContainer(lines, current) && !folded.peek().has(current)
    const parent = lines.parents[current] ?? -1
    if (isOpen) toggle(current, true)
    else if (shown.includes(parent)) choose(parent)
  }

  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => choose(shown[position + 1]),
    ArrowUp: () => choose(shown[position - 1]),
    ArrowRight: () => (folded.peek().has(current) ? toggle(current, false) : choose(shown[position + 1])),
    ArrowLeft: left,
    Home: () => choose(shown[0]),
    End: () => choose(shown.at(-1)),
    Enter: () => toggle(current),
    ' ': () => toggle(current),
  }

  return (
    <>
      <div class="row flow">
        <search class="field grow">
          <Icon name="search" />
          <input
            type="search"
            aria-label="Search in the payload"
            placeholder="Search"
            value={words}
            onInput={({ currentTarget }) => search(currentTarget.value)}
            onKeyDown={({ key, shiftKey }) => key === 'Enter' && found.length > 0 && step(shiftKey ? -1 : 1)}
          />
          <span class="small muted num" role="status">
            {words.value !== '' && `${found.indexOf(current) + 1} of ${found.length}`}
          </span>
        </search>
        {children}
      </div>
      <div class="row flow">
        <code class="chip clip">{pathTo(lines, current)}</code>
        <CopyButton text={() => pathTo(lines, current)} of="path" isNamed />
        <CopyButton text={() => valueText(lines, current)} of="value" isNamed />
        <span class="push small muted num">{note}</span>
      </div>
      <VirtualLines
        class="tree grow scroll"
        role="tree"
        tabIndex={0}
        aria-label="Payload"
        aria-activedescendant={`line-${current}`}
        count={shown.length}
        seen={chosen.value === undefined ? undefined : position}
        onKeyDown={(event) => {
          const act = keys[event.key]
          if (!act || event.ctrlKey || event.metaKey || event.altKey) return
          event.preventDefault()
          act()
        }}
        onClick={({ target }) => {
          const line = (target as Element).closest<HTMLElement>('[data-line]')
          if (!line) return
          chosen.value = Number(line.dataset['line'])
          if ((target as Element).closest('.fold')) toggle(chosen.value)
        }}
        line={(index) => {
          const line = shown[index] ?? 0
          return (
            <TreeLine
              key={line}
              lines={lines}
              line={line}
              isFolded={folded.value.has(line)}
              isCurrent={line === current}
              hint={hint}
            />
          )
        }}
      />
    </>
  )
}

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
function TreeLine({ lines, line, isFolded, isCurrent, hint }: TreeLineProps) {
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
