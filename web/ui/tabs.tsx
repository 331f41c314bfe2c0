import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { LocalLink } from './local-link.tsx'

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
