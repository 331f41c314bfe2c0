import type { ComponentChildren } from 'preact'

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
