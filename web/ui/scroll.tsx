import type { ComponentChildren } from 'preact'

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
