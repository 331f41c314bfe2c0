import { computed, signal } from '@preact/signals'

/** The filter of the list of events, as in its address; undefined on every other page. */
export const viewSearch = signal<string | undefined>(undefined)

/** A filter of the list of events, by name. */
export interface SavedView {
  readonly name: string
  /** The query of its address. */
  readonly search: string
}

/** What every user has. */
export const NEEDS_ATTENTION: SavedView = { name: 'Needs attention', search: '?attention=true&range=7d' }

const STORED = 'gatehouse.views'

/** The views of the user, in this browser. */
export const ownViews = signal(readViews())

/** The view that the list of events shows. */
export const currentView = computed(() =>
  [NEEDS_ATTENTION, ...ownViews.value].find(({ search }) => search === viewSearch.value),
)

/** What another program has stored under the name counts as none. */
function readViews(): readonly SavedView[] {
  try {
    const stored: readonly SavedView[] = JSON.parse(localStorage.getItem(STORED) ?? '[]')
    return stored.filter(({ name, search }) => typeof name === 'string' && typeof search === 'string')
  } catch {
    return []
  }
}

export function hasView(search: string): boolean {
  return [NEEDS_ATTENTION, ...ownViews.value].some((view) => view.search === search)
}

/** Adds a view; one of the same name gives way. */
export function saveView(view: SavedView): void {
  keep([...ownViews.peek().filter(({ name }) => name !== view.name), view])
}

export function removeView({ name }: SavedView): void {
  keep(ownViews.peek().filter((view) => view.name !== name))
}

function keep(views: readonly SavedView[]): void {
  ownViews.value = views
  localStorage.setItem(STORED, JSON.stringify(views))
}
