import type { ComponentChildren } from 'preact'

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

/** Links between the parts of what is open: each part has an address. */
export function Tabs({ label, tabs, current, choose }: TabsProps) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ name, label: text, note, address }) => (
        <a
          key={name}
          href={address}
          aria-current={name === current ? 'page' : undefined}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return
            event.preventDefault()
            choose(name)
          }}
        >
          {text}
          {note !== undefined && <span class="chip num">{note}</span>}
        </a>
      ))}
    </nav>
  )
}
