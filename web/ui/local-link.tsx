import type { ComponentChildren } from 'preact'
import type { Tone } from './badge.tsx'
import { isPlainClick } from './plain-click.ts'

interface LocalLinkProps {
  readonly address: string
  /** What a plain click does in the place of a navigation. */
  readonly follow: () => void
  readonly class?: string
  readonly current?: 'page' | 'true' | undefined
  readonly tone?: Tone
  readonly children: ComponentChildren
}

/** A link to another state of this page. */
export function LocalLink({ address, follow, class: name, current, tone, children }: LocalLinkProps) {
  return (
    <a
      href={address}
      class={name}
      aria-current={current}
      data-tone={tone}
      onClick={(click) => {
        if (!isPlainClick(click)) return
        click.preventDefault()
        follow()
      }}
    >
      {children}
    </a>
  )
}
