import { describe, expect, it } from 'vitest'
import type { LastCalls } from '../../../../lib/webhooks/last-calls.ts'
import { listSources } from '../../../../lib/webhooks/operators/sources.ts'
import { catalogFrom } from '../../../../lib/webhooks/sources/catalog.ts'

const NOW = new Date('2026-03-04T12:00:00Z')
const MINUTE = 60_000
const HOUR = 60

const catalog = catalogFrom({
  sources: {
    shop: { preset: 'github', expectEvery: '2h' },
    stripe: { preset: 'stripe', expectEvery: '7d' },
    till: { preset: 'zoom' },
  },
})

const ago = (minutes: number | undefined) =>
  minutes === undefined ? undefined : new Date(NOW.getTime() - minutes * MINUTE)

/** A source, and how many minutes ago its last calls were accepted and refused. */
function last(source: string, accepted?: number, refused?: number): LastCalls {
  return { source, lastAcceptedAt: ago(accepted), lastRefusedAt: ago(refused) }
}

function listed(rows: readonly LastCalls[], withSecret: readonly string[] = [], own?: readonly string[]) {
  return listSources({ catalog, withSecret, calls: { all: async () => rows }, own }, NOW)
}

it('the sources are those that are configured, have a secret or sent a call, each once and by name', async () => {
  const rows = [last('github', 60), last('gone', 1440 * 100), last('shop', 0)]
  expect(await listed(rows, ['zoom', 'github'])).toMatchObject([
    { source: 'github', configured: false, hasSecret: true, lastReceivedAt: '2026-03-04T11:00:00.000' },
    { source: 'gone', configured: false, hasSecret: false, lastReceivedAt: '2025-11-24T12:00:00.000' },
    {
      source: 'shop',
      configured: true,
      hasSecret: false,
      expectEvery: '2h',
      lastReceivedAt: '2026-03-04T12:00:00.000',
    },
    { source: 'stripe', configured: true, hasSecret: false, expectEvery: '7d', lastReceivedAt: null },
    { source: 'till', configured: true, hasSecret: false, expectEvery: null },
    { source: 'zoom', configured: false, hasSecret: true, expectEvery: null },
  ])
})

/** A noted time may be ten minutes old. */
describe('the state of a source', () => {
  it.each<[string, LastCalls, silent: boolean, refusedOnly: boolean]>([
    ['that was accepted within its time', last('shop', 2 * HOUR + 10), false, false],
    ['that was accepted before that', last('shop', 2 * HOUR + 11), true, false],
    ['that never sent anything', last('shop'), true, false],
    ['that is accepted and refused', last('shop', 100, 0), false, false],
    ['that was accepted before, and is now refused', last('shop', 2 * HOUR + 11, 0), true, true],
    ['that was only ever refused', last('shop', undefined, 5), true, true],
    ['whose last refused call is older than its time', last('shop', undefined, 2 * HOUR + 11), true, false],
    ['with a time of days', last('stripe', 7 * 24 * HOUR + 11), true, false],
    ['without a time, that is silent for months', last('till', 90 * 24 * HOUR), false, false],
    ['without a time, that is refused for more than an hour', last('till', HOUR + 11, 0), false, true],
    ['without a time, that was accepted within the hour', last('till', HOUR + 10, 0), false, false],
  ])('%s', async (_, row, silent, refusedOnly) => {
    const found = (await listed([row])).find(({ source }) => source === row.source)
    expect(found).toMatchObject({ silent, refusedOnly })
  })
})

it('that of the service itself is one of them where somebody asks for its events', async () => {
  const names = async (own: readonly string[]) => (await listed([], [], own)).map(({ source }) => source)
  expect(await names([])).toEqual(['shop', 'stripe', 'till'])
  expect(await names(['gatehouse'])).toEqual(['gatehouse', 'shop', 'stripe', 'till'])
})
