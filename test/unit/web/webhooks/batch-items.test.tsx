import { renderToString } from 'preact-render-to-string'
import { describe, expect, it } from 'vitest'
import { BatchItems } from '../../../../web/webhooks/batch-items.tsx'
import type { EventDetail } from '../../../../web/webhooks/record.ts'
import { record } from './records.ts'

function html(itemCount: number | null, eventIds: readonly (string | null)[]): string {
  const event: EventDetail = {
    ...record({ itemCount }),
    ...{
      payload: '',
      payloadEncoding: 'utf8',
      payloadTruncated: false,
      payloadBytes: 2,
      payloadDeletedAt: null,
      headers: {},
      history: [],
    },
    items: eventIds.map((eventId, index) => ({ id: `h:1#${index + 1}`, eventId, eventType: 'open' })),
  }
  return renderToString(<BatchItems event={event} />)
}

describe('the events in a batch', () => {
  it('are listed with the ids that their sender gave, and their types', () => {
    const page = html(2, ['sg-1', null])
    expect(page).toContain('<summary>Events in it: 2</summary>')
    expect(page).toContain('<li><code>sg-1</code> · open</li>')
    expect(page).toContain('without an id</span> · open</li>')
    expect(page).not.toContain('more')
  })

  it.each([
    [10, true],
    [11, false],
  ])('are open at first, unless there are many: %i', (count, isOpen) => {
    expect(html(count, Array(count).fill(null)).startsWith('<details open>')).toBe(isOpen)
  })

  it('are as many as there are, whatever is listed', () => {
    expect(html(1200, Array(1000).fill(null))).toContain('and 200 more')
    expect(html(120, [])).toContain('120, not listed yet')
  })

  it('are none where the event is no batch', () => {
    expect(html(null, [])).toBe('')
  })

  it('are none in an empty batch, and it says so', () => {
    expect(html(0, [])).toContain('Events in it: 0')
  })
})
