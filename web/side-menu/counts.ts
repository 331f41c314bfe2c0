import { signal } from '@preact/signals'
import { ask, type Response } from '../ask.ts'
import { CallRefused } from '../problem.ts'
import { isSessionOver } from '../session-call.ts'
import { NEEDS_ATTENTION } from './views.ts'

/** The figures of the menu, by the name of their place; `300+` where there may be more. */
export const menuCounts = signal<Readonly<Record<string, string>>>({})

const PAUSE_MS = 60_000
const DAY_MS = 86_400_000
const PAGE = 200

/** Counts now, and each minute while the page is visible. */
export function startMenuCounts(): void {
  void count()
  setInterval(() => void count(), PAUSE_MS)
}

async function count(): Promise<void> {
  if (document.hidden || isSessionOver.peek()) return
  const since = new Date(Date.now() - 7 * DAY_MS).toISOString()
  await Promise.all([
    figure('events', '/api/webhooks/counts', ofTotals),
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

function ofTotals({ complete, totals }: Response<'webhookCounts'>): string {
  const total = Object.values(totals.status).reduce((sum, each) => sum + each, 0)
  return shown(total, complete)
}

function ofRefusals({ refusals, nextCursor }: Response<'webhookRefusals'>): string {
  const total = refusals.reduce((sum, refusal) => sum + refusal.count, 0)
  return shown(total, nextCursor === null)
}

function shown(total: number, isAll: boolean): string {
  return `${total.toLocaleString('en')}${isAll ? '' : '+'}`
}
