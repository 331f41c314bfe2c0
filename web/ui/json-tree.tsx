import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { CopyButton } from './copy-button.tsx'
import { Icon } from './icon.tsx'
import { TreeLine } from './json-tree-line.tsx'
import { isContainer, type JsonLines, valueText } from './json-tree-lines.ts'
import { matchesOf, opened, pathTo, unfolded } from './json-tree-walk.ts'
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
