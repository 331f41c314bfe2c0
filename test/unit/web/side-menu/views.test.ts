import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { readPlace } from '../../../../web/events/place.ts'
import { aroundPage } from '../events/page-world.ts'

beforeEach(() => void vi.resetModules())
afterEach(() => void vi.unstubAllGlobals())

const NAME = 'gatehouse.views'
const load = () => import('../../../../web/side-menu/views.ts')

it('a view is stored in this browser; one of the same name replaces it, and it can be removed', async () => {
  const { stored } = aroundPage()
  const { saveView, removeView, ownViews, hasView } = await load()
  saveView({ name: 'Stripe', search: '?source=stripe' })
  saveView({ name: 'Stripe', search: '?source=stripe&range=7d' })
  expect(ownViews.value).toEqual([{ name: 'Stripe', search: '?source=stripe&range=7d' }])
  expect(JSON.parse(stored.get(NAME) ?? '')).toEqual(ownViews.value)
  expect([hasView('?source=stripe'), hasView('?source=stripe&range=7d')]).toEqual([false, true])
  removeView({ name: 'Stripe', search: '' })
  expect([ownViews.value, stored.get(NAME)]).toEqual([[], '[]'])
})

it.each(['no JSON', '{}', '[{"name":1}]', 'null'])('invalid stored views count as none: %s', async (text) => {
  aroundPage().stored.set(NAME, text)
  expect((await load()).ownViews.value).toEqual([])
})

it('the view of events that need attention contains what waits for a person', async () => {
  aroundPage()
  const { NEEDS_ATTENTION, currentView } = await load()
  const { viewSearch } = await import('../../../../web/side-menu/views.ts')
  expect(readPlace(NEEDS_ATTENTION.search).filter).toMatchObject({ attention: 'true', status: [], range: '7d' })
  viewSearch.value = NEEDS_ATTENTION.search
  expect(currentView.value?.name).toBe('Needs attention')
})
