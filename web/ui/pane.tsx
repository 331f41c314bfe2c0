import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { type Look, LookBadge } from './badge.tsx'
import { Button } from './button.tsx'
import { Scroll } from './layout.tsx'
import { asForeign } from './text.tsx'

export interface PaneContent {
  readonly title: ComponentChildren
  /** The state, after the title. */
  readonly look?: Look
  /** Below the title: what else names it. */
  readonly note?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

interface PaneProps extends PaneContent {
  readonly close: () => void
}

/** What is known of the row that is open. It takes the focus when it appears. */
export function Pane({ title, look, note, close, actions, children }: PaneProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <>
      <header class="bar line">
        <Button icon="left" class="bare only-s" label="Back to the list" onClick={close} />
        <span class="grow stack tight">
          <h2 class="row flow wrap" tabIndex={-1} ref={heading}>
            {asForeign(title)}
            {look && <> </>}
            {look && <LookBadge look={look} isSolid />}
          </h2>
          {note !== undefined && <span class="small muted wrap">{asForeign(note)}</span>}
        </span>
        <span class="row">
          {actions}
          <Button icon="x" class="bare wide-only" label="Close" title="Close (Escape)" onClick={close} />
        </span>
      </header>
      <Scroll label="Details" class="pad stack wide">
        {children}
      </Scroll>
    </>
  )
}

interface PartProps {
  readonly title: string
  /** Of the heading: 3 below the title of a pane, 2 below that of a page. */
  readonly level?: 2 | 3
  /** Its name, where readers of the page may go to it. */
  readonly region?: string
  readonly children: ComponentChildren
}

/** A part of a pane or of a page, below its own heading. */
export function Part({ title, level = 3, region, children }: PartProps) {
  const Box = region === undefined ? 'div' : 'section'
  return (
    <Box class="stack" aria-label={region}>
      {level === 2 ? <h2>{title}</h2> : <h3>{title}</h3>}
      {asForeign(children)}
    </Box>
  )
}
