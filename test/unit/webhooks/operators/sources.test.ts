import { describe, expect, it } from 'vitest'
import type { HeardDay } from '../../../../lib/webhooks/heard/heard.ts'
import { listSources } from '../../../../lib/webhooks/operators/sources.ts'
import { catalogFrom } from '../../../../lib/webhooks/sources/catalog.ts'

const NOW = new Date('2026-03-04T05:06:07Z')
const catalog = catalogFrom({ sources: { shop: { preset: 'github' }, stripe: { preset: 'stripe' } } })

function heardOn(...days: readonly HeardDay[]) {
  const asked: Date[] = []
  const since = async (oldest: Date) => {
    asked.push(oldest)
    return days
  }
  return { asked, since }
}

const day = (source: string, lastAt: string) => ({ source, firstAt: new Date(0), lastAt: new Date(lastAt) })

describe('the sources', () => {
  it('are those that are known, have a secret or sent an event, each once and by name', async () => {
    const heard = heardOn(
      day('github', '2026-03-02T00:00:00Z'),
      day('gone', '2026-02-01T00:00:00Z'),
      day('github', '2026-03-03T00:00:00Z'),
      day('github', '2026-03-01T00:00:00Z'),
    )
    const sources = await listSources({ catalog, heard, withSecret: ['shop', 'till', 'github'] }, NOW)
    const names = sources.map(({ source }) => source)
    expect(names).toEqual([...new Set(names)].sort())
    expect(names).toEqual(expect.arrayContaining(['payment', 'order-status', 'adyen', 'zoom']))
    const seen = (source: string) => sources.find((one) => one.source === source)
    const nothing = { configured: false, hasSecret: false, lastHeardAt: null }
    expect(seen('shop')).toEqual({ ...nothing, source: 'shop', configured: true, hasSecret: true })
    expect(seen('stripe')).toEqual({ ...nothing, source: 'stripe', configured: true })
    expect(seen('till')).toEqual({ ...nothing, source: 'till', hasSecret: true })
    expect(seen('gone')).toEqual({ ...nothing, source: 'gone', lastHeardAt: '2026-02-01T00:00:00.000' })
    expect(seen('github')).toEqual({
      ...nothing,
      source: 'github',
      hasSecret: true,
      lastHeardAt: '2026-03-03T00:00:00.000',
    })
    expect(heard.asked).toEqual([new Date('2026-01-28T05:06:07Z')])
  })
})
