import { renderToString } from 'preact-render-to-string'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { detail } from './details.ts'
import { aroundPage } from './page-world.ts'

let BatchItems: typeof import('../../../../web/events/overview.tsx').BatchItems
beforeAll(async () => {
  vi.resetModules()
  aroundPage()
  BatchItems = (await import('../../../../web/events/overview.tsx')).BatchItems
})

function html(itemCount: number | null, eventIds: readonly (string | null)[]): string {
  const items = eventIds.map((eventId, index) => ({ id: `h:1#${index + 1}`, eventId, eventType: 'open' }))
  return renderToString(<BatchItems event={detail({ itemCount, items })} />)
}

describe('the events in a batch', () => {
  it('are listed with the ids from their sender, and their types', () => {
    const page = html(2, ['sg-1', null])
    expect(page).toContain('<summary>Events in the batch: 2</summary>')
    expect(page).toContain('<code><bdi>sg-1</bdi></code> · <bdi>open</bdi></li>')
    expect(page).toContain('without an id</span> · <bdi>open</bdi></li>')
    expect(page).not.toContain('more')
  })

  it.each([
    [10, true],
    [11, false],
  ])('are unfolded at first, unless there are many: %i', (count, isOpen) => {
    expect(html(count, Array(count).fill(null)).includes(' open>')).toBe(isOpen)
  })

  it('are all counted, however many are listed', () => {
    expect(html(1200, Array(1000).fill(null))).toContain('and 200 more')
    expect(html(120, [])).toContain('120 not listed yet')
  })

  it('are missing if the event is not a batch', () => {
    expect(html(null, [])).toBe('')
  })

  it('are missing in an empty batch, which is stated', () => {
    expect(html(0, [])).toContain('Events in the batch: 0')
  })
})
