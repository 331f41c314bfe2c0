import type { ComponentChildren } from 'preact'
import { LocalLink } from '../../ui/links.tsx'
import { openTab, place } from '../navigation.ts'
import { searchOf, type Tab } from '../place.ts'

/** The address of a tab of the open event. */
export function tabAddress(tab: Tab): string {
  return `${location.pathname}${searchOf({ ...place.value, tab })}`
}

/** A link to another tab of the open event. */
export function TabLink({ tab, children }: { readonly tab: Tab; readonly children: ComponentChildren }) {
  return (
    <LocalLink class="small" address={tabAddress(tab)} follow={() => openTab(tab)}>
      {children}
    </LocalLink>
  )
}
