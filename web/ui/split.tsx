import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'

interface SplitProps {
  /** Names the list. */
  readonly label: string
  readonly list: ComponentChildren
  /** Beside the list on wide screens, in its place on narrow ones; absent when nothing is open. */
  readonly pane?: { readonly label: string; readonly content: ComponentChildren } | undefined
  /** Called on Escape while something is open. */
  readonly close?: () => void
}

/** A list, and what one has opened of it. */
export function Split({ label, list, pane, close }: SplitProps) {
  const isOpen = pane !== undefined
  useEffect(() => {
    if (!isOpen || close === undefined) return undefined
    const onKey = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === 'Escape' && !defaultPrevented && document.querySelector('dialog[open]') === null) close()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isOpen, close])
  return (
    <div class="main split">
      <section class="list" aria-label={label}>
        {list}
      </section>
      {pane && (
        <section class="pane" aria-label={pane.label}>
          {pane.content}
        </section>
      )}
    </div>
  )
}
