import type { ComponentChildren } from 'preact'
import { openTab, place } from '../navigation.ts'
import { searchOf, type Tab } from '../place.ts'

/** The address of a tab of the open event. */
export function tabAddress(tab: Tab): string {
  return `${location.pathname}${searchOf({ ...place.value, tab })}`
}

/** A link to another tab of the open event. */
export function TabLink({ tab, children }: { readonly tab: Tab; readonly children: ComponentChildren }) {
  return (
    <a
      class="small"
      href={tabAddress(tab)}
      onClick={(click) => {
        if (click.ctrlKey || click.metaKey || click.shiftKey) return
        click.preventDefault()
        openTab(tab)
      }}
    >
      {children}
    </a>
  )
}
