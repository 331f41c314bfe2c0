import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'

/** The color of a state; see `web/style/tokens.css`. */
export type Tone = 'ok' | 'wait' | 'bad' | 'run' | 'note'

/** How a state is shown. */
export interface Look {
  readonly label: string
  readonly tone: Tone
  /** By default the symbol of the tone. */
  readonly icon?: string
}

interface BadgeProps extends Omit<Look, 'label'> {
  /** With a background, for places outside of tables. */
  readonly isSolid?: boolean
  readonly children: ComponentChildren
}

/** A state: symbol, word and color. */
export function Badge({ tone, icon = tone, isSolid = false, children }: BadgeProps) {
  return (
    <span class={isSolid ? 'badge solid' : 'badge'} data-tone={tone}>
      <Icon name={icon} />
      {children}
    </span>
  )
}

export function LookBadge({ look, isSolid = false }: { readonly look: Look; readonly isSolid?: boolean }) {
  return (
    <Badge {...look} isSolid={isSolid}>
      {look.label}
    </Badge>
  )
}
