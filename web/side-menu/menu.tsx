import { effect } from '@preact/signals'
import { render } from 'preact'
import { facts } from '../facts.ts'
import { Icon } from '../ui/icon.tsx'
import { menuCounts, startMenuCounts } from './counts.ts'
import { viewSearch } from './current.ts'
import { currentView, NEEDS_ATTENTION, ownViews, removeView, type SavedView } from './views.ts'

/** Adds figures and saved views to the menu that the server rendered, for those who may see events. */
export function fillSideMenu(): void {
  if (!facts.user?.roles.includes('ROLE_ADMIN')) return
  for (const place of document.querySelectorAll('[data-views]')) render(<Views />, place)
  effect(showCounts)
  effect(markCurrent)
  startMenuCounts()
}

/** The entry of the list is the current one unless a view is. */
function markCurrent(): void {
  const entry = document.querySelector('.side a[href="/console/webhooks"]')
  if (viewSearch.value === undefined) return
  if (currentView.value) entry?.removeAttribute('aria-current')
  else entry?.setAttribute('aria-current', 'page')
}

function showCounts(): void {
  for (const place of document.querySelectorAll<HTMLElement>('.side [data-count]'))
    place.textContent = menuCounts.value[place.dataset['count'] ?? ''] ?? ''
}

function Views() {
  return (
    <ul>
      <View view={NEEDS_ATTENTION} count={menuCounts.value['attention']} />
      {ownViews.value.map((view) => (
        <View key={view.name} view={view} isOwn />
      ))}
    </ul>
  )
}

interface ViewProps {
  readonly view: SavedView
  readonly count?: string | undefined
  readonly isOwn?: boolean
}

function View({ view, count, isOwn = false }: ViewProps) {
  return (
    <li class="view">
      <a
        class="sub"
        href={`/console/webhooks${view.search}`}
        aria-current={currentView.value?.name === view.name ? 'page' : undefined}
      >
        <span class="t clip">{view.name}</span>
        {count !== undefined && <span class="push small muted num t">{count}</span>}
      </a>
      {isOwn && (
        <button
          type="button"
          class="btn bare"
          aria-label={`Remove the view ${view.name}`}
          onClick={() => removeView(view)}
        >
          <Icon name="x" />
        </button>
      )}
    </li>
  )
}
