import type { ComponentChildren } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

interface PageBarProps {
  readonly title: string
  /** Beside the title: how many there are. */
  readonly note?: string | undefined
  /** Buttons at the right. */
  readonly children?: ComponentChildren
}

/** The head of a list, with the heading of the page. */
export function PageBar({ title, note, children }: PageBarProps) {
  return (
    <header class="bar line">
      <h1>{title}</h1>
      {note !== undefined && <span class="muted small c1 num">{note}</span>}
      <span class="row flow push">{children}</span>
    </header>
  )
}

interface ScrollProps {
  readonly label: string
  readonly class?: string
  readonly children: ComponentChildren
}

/** A part of the page that scrolls by itself; the keyboard reaches it, so that arrow keys scroll it. */
export function Scroll({ label, class: name = '', children }: ScrollProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to take the focus (WCAG 2.1.1)
    <section class={`scroll ${name}`} aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}

/** A page of one column that scrolls below its heading. */
export function Sheet({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <>
      <PageBar title={title} />
      <Scroll label={title}>{children}</Scroll>
    </>
  )
}

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

/** In the place of a list without rows: why, and what to do. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  )
}
