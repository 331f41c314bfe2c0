import type { ComponentChildren } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

interface SplitPane {
  readonly label: string
  readonly content: ComponentChildren
  /** Whether it only keeps the place for what may be opened: narrow screens leave it out. */
  readonly isResting?: boolean
}

interface SplitProps {
  /** Names the list. */
  readonly label: string
  readonly list: ComponentChildren
  /** Beside the list on wide screens, in its place on narrow ones; absent when nothing is open. */
  readonly pane?: SplitPane | undefined
  /** Whether a narrow screen shows the pane below the list. */
  readonly isStacked?: boolean
  /** Called on Escape while something is open. */
  readonly close?: () => void
}

/** A list, and what one has opened of it. */
export function Split({ label, list, pane, close, isStacked = false }: SplitProps) {
  const isOpen = pane !== undefined && !pane.isResting
  // Before it is seen: an Escape right after the Enter that opened it must not be lost.
  useLayoutEffect(() => {
    if (!isOpen || close === undefined) return undefined
    const onKey = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === 'Escape' && !defaultPrevented && document.querySelector('dialog[open]') === null) close()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isOpen, close])
  return (
    <div class={isStacked ? 'main split stacked' : 'main split'}>
      <section class="list" aria-label={label}>
        {list}
      </section>
      {pane && (
        <section class={pane.isResting ? 'pane wide-only' : 'pane'} aria-label={pane.label}>
          {pane.content}
        </section>
      )}
    </div>
  )
}
