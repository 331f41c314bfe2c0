import { effect, signal } from '@preact/signals'
import { render } from 'preact'
import type { eventCounts } from '../../lib/contract/answers/events.ts'
import type { refusalPage } from '../../lib/contract/answers/operation.ts'
import { ask, isSessionOver, type Response } from '../ask.ts'
import { facts } from '../facts.ts'
import { CallRefused } from '../problem.ts'
import { Button } from '../ui/button.tsx'
import { currentView, NEEDS_ATTENTION, ownViews, removeView, type SavedView, viewSearch } from './views.ts'

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
        <Button icon="x" class="bare" label={`Remove the view ${view.name}`} onClick={() => removeView(view)} />
      )}
    </li>
  )
}

/** The figures of the menu, by the name of their place; `300+` where there may be more. */
export const menuCounts = signal<Readonly<Record<string, string>>>({})

const PAUSE_MS = 60_000
const DAY_MS = 86_400_000
const PAGE = 200

/** Counts now, and each minute while the page is visible. */
function startMenuCounts(): void {
  void count()
  setInterval(() => void count(), PAUSE_MS)
}

async function count(): Promise<void> {
  if (document.hidden || isSessionOver.peek()) return
  const since = new Date(Date.now() - 7 * DAY_MS).toISOString()
  await Promise.all([
    // The list of all events counts them itself.
    viewSearch.peek() !== '' && figure('events', '/api/webhooks/counts', ofTotals),
    figure('attention', `/api/webhooks/counts${NEEDS_ATTENTION.search.replace('range=7d', `from=${since}`)}`, ofTotals),
    figure('refused', `/api/webhooks/refusals?limit=${PAGE}`, ofRefusals),
  ])
}

async function figure<T>(name: string, path: string, read: (answer: T) => string): Promise<void> {
  try {
    const text = read(await ask<T>(path))
    menuCounts.value = { ...menuCounts.peek(), [name]: text }
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error
  }
}

export function ofTotals({ complete, totals }: Response<typeof eventCounts>): string {
  const total = Object.values(totals.status).reduce((sum, each) => sum + each, 0)
  return shown(total, complete)
}

function ofRefusals({ refusals, nextCursor }: Response<typeof refusalPage>): string {
  const total = refusals.reduce((sum, refusal) => sum + refusal.count, 0)
  return shown(total, nextCursor === null)
}

function shown(total: number, isAll: boolean): string {
  return `${total.toLocaleString('en')}${isAll ? '' : '+'}`
}
