import { type ComponentChildren, toChildArray } from 'preact'
import type { Tone } from './badge.tsx'
import { Icon } from './icon.tsx'

/** Things one below the other, in the order in which they happened. */
export function Steps({ children }: { readonly children: ComponentChildren }) {
  return <ol class="steps">{children}</ol>
}

interface StepProps {
  readonly tone: Tone
  /** By default the symbol of the tone. */
  readonly icon?: string
  readonly title: ComponentChildren
  /** After the title, less loud. */
  readonly about?: ComponentChildren
  /** At the right: when it was, or a figure. */
  readonly time?: ComponentChildren
  readonly children?: ComponentChildren
}

export function StepView({ tone, icon = tone, title, about, time, children }: StepProps) {
  return (
    <li>
      <span class="tone" data-tone={tone}>
        <Icon name={icon} />
      </span>
      <span class="wrap">
        <b>{title}</b> {about !== undefined && <span class="muted">{about}</span>}
      </span>
      <span class="small muted num">{time}</span>
      {hasContent(children) && <div class="small stack tight wrap">{children}</div>}
    </li>
  )
}

function hasContent(children: ComponentChildren): boolean {
  return toChildArray(children).length > 0
}
