import { signal } from '@preact/signals'

/** The filter of the list of events, as in its address; undefined on every other page. */
export const viewSearch = signal<string | undefined>(undefined)
