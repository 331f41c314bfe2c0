import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aroundPage } from './page-world.ts'

beforeEach(() => void vi.resetModules())
afterEach(() => void vi.unstubAllGlobals())

async function load(search = '') {
  const world = aroundPage(search)
  const navigation = await import('../../../../web/events/navigation.tsx')
  const pushed = () => world.history.pushState.mock.calls.map(([, , address]) => address)
  return { ...world, ...navigation, pushed }
}

const AT = '/console/webhooks'
const EVENT = { source: 'payment', eventId: 'evt_1' }

describe('each state is an entry of the history', () => {
  it('filters, events, tabs and pages', async () => {
    const { narrow, openEvent, openTab, go, place, pushed } = await load()
    narrow({ status: ['FAILED'] })
    openEvent(EVENT)
    openTab('payload')
    openEvent(undefined)
    go({ ...place.value, cursor: 'x' }, 50)
    expect(pushed()).toEqual([
      `${AT}?status=FAILED`,
      `${AT}?status=FAILED&event=payment%2Fevt_1`,
      `${AT}?status=FAILED&event=payment%2Fevt_1&tab=payload`,
      `${AT}?status=FAILED`,
      `${AT}?status=FAILED&cursor=x`,
    ])
  })

  it('continuous typing is one entry', async () => {
    const { search, openEvent, pushed, history } = await load()
    for (const q of ['o', 'or', 'ord']) search(q)
    expect([pushed(), history.replaceState.mock.lastCall?.[2]]).toEqual([[`${AT}?q=o`], `${AT}?q=ord`])
    openEvent(EVENT)
    search('orde')
    expect(pushed().at(-1)).toBe(`${AT}?q=orde&event=payment%2Fevt_1`)
  })

  it('text with the same search result is none', async () => {
    const { search, pushed } = await load('?q=a')
    search('a')
    expect(pushed()).toEqual([])
  })

  it('Back and Forward show the state of the address', async () => {
    const { listenToHistory, listeners, location, place, skipped } = await load('?q=a')
    listenToHistory()
    location.search = '?status=FAILED&cursor=x'
    listeners.get('popstate')?.({ state: { before: 50 } })
    expect([place.value.filter.status, place.value.cursor, skipped.value]).toEqual([['FAILED'], 'x', 50])
  })
})

it('a filter begins with the newest events again, in a range that ends now', async () => {
  const { narrow, place } = await load('?range=24h&from=2026-01-01T00%3A00%3A00.000Z&cursor=x')
  narrow({ source: ['stripe'] })
  expect(place.value.cursor).toBeUndefined()
  expect(place.value.filter).toMatchObject({ range: '24h', from: '', source: ['stripe'] })
})

it('on an older page from a link, the number of pages before it is unknown', async () => {
  expect((await load('?cursor=x')).skipped.value).toBeUndefined()
  vi.resetModules()
  expect((await load('')).skipped.value).toBe(0)
})
