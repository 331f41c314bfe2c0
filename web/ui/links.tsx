import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Tone } from './badge.tsx'

/** Whether a click on a link is for this page: not to open a tab, a window or a download, and not the end of a selection. */
export function isPlainClick({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return !(ctrlKey || metaKey || shiftKey || altKey) && getSelection()?.type !== 'Range'
}

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

interface Tab {
  readonly name: string
  readonly label: string
  readonly note?: ComponentChildren
  readonly address: string
}

interface TabsProps {
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly current: string
  readonly choose: (name: string) => void
}

/** Links between the parts of what is open: each part has an address. The current one is scrolled into view. */
export function Tabs({ label, tabs, current, choose }: TabsProps) {
  const nav = useRef<HTMLElement>(null)
  /** They move the tabs when they come. */
  const notes = tabs.map(({ note }) => String(note ?? '')).join()
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [current, notes])
  return (
    <nav class="tabs" aria-label={label} ref={nav}>
      {tabs.map(({ name, label: text, note, address }) => (
        <LocalLink
          key={name}
          address={address}
          current={name === current ? 'page' : undefined}
          follow={() => choose(name)}
        >
          {text}
          {note !== undefined && <span class="chip num">{note}</span>}
        </LocalLink>
      ))}
    </nav>
  )
}
