import { describe, expect, it } from 'vitest'
import { refusalQuery } from '../../../../lib/contract/requests/refusals.ts'
import { listRefusals } from '../../../../lib/webhooks/refusals/list.ts'
import type { CountedRefusals } from '../../../../lib/webhooks/refusals/refusal.ts'
import { START } from '../../../support/fakes/clock.ts'
import { countedRefusals, MemoryRefusals } from '../../../support/fakes/refusals.ts'

const HOUR = 3_600_000
const ago = (hours: number) => new Date(START.getTime() - hours * HOUR)
const { signal } = new AbortController()

async function storeOf(...refused: readonly Partial<CountedRefusals>[]): Promise<MemoryRefusals> {
  const store = new MemoryRefusals()
  for (const one of refused) await store.add(countedRefusals(one), signal)
  return store
}

const listed = (store: MemoryRefusals, query: Readonly<Record<string, string>> = {}) =>
  listRefusals(store, refusalQuery.parse(query), START, true)

const sourcesIn = ({ refusals }: Awaited<ReturnType<typeof listed>>) => refusals.map(({ source }) => source)

describe('the list of refusals', () => {
  it('shows a row with every stored field of the last call', async () => {
    const store = await storeOf(
      { firstAt: ago(1), lastAt: ago(1), address: '192.0.2.7' },
      { count: 3, firstAt: ago(1) },
    )
    expect(await listed(store)).toEqual({
      refusals: [
        {
          id: '2026-01-02#00#stripe#wrong-signature#wrong-signature',
          source: 'stripe',
          reason: 'wrong-signature',
          verdict: { reason: 'wrong-signature', sentence: 'Its signature does not fit.' },
          count: 4,
          atLeast: true,
          firstAt: '2026-01-02T02:04:05.000',
          lastAt: '2026-01-02T03:04:05.000',
          address: '192.0.2.1',
          size: 2,
          headers: { 'content-type': 'application/json', 'x-signature': null },
        },
      ],
      nextCursor: null,
    })
  })

  it('begins with the last refused, and orders equal times by id', async () => {
    const at = (hours: number) => ({ firstAt: ago(9), lastAt: ago(hours) })
    const store = await storeOf(
      { source: 'c', ...at(2) },
      { source: 'd', ...at(1) },
      { source: 'b', ...at(2) },
      { source: 'a', ...at(3) },
    )
    expect(sourcesIn(await listed(store))).toEqual(['d', 'b', 'c', 'a'])
  })

  it('ends seven days ago', async () => {
    const store = await storeOf({ source: 'a', lastAt: ago(168) }, { source: 'b', lastAt: ago(168.001) })
    expect(sourcesIn(await listed(store))).toEqual(['a'])
  })

  it('shows the last thousand of each source, independent of the other sources', async () => {
    const many = Array.from({ length: 1200 }, (_, index) => ({
      firstAt: ago(index / 60),
      lastAt: ago(index / 60),
      verdict: { reason: `word-${index}`, sentence: 'A sentence.' },
    }))
    const store = await storeOf(...many, { source: 'quiet', lastAt: ago(100) })
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page = await listed(store, { limit: '200', ...(cursor && { cursor }) })
      seen.push(...page.refusals.map(({ source, verdict }) => `${source} ${verdict.reason}`))
      cursor = page.nextCursor
    }
    const thousand = many.slice(0, 1000).map(({ verdict }) => `stripe ${verdict.reason}`)
    expect(seen).toEqual([...thousand, 'quiet wrong-signature'])
    const until = async (to: string) => (await listed(store, { source: 'stripe', to })).refusals.length
    expect([await until('2026-01-01T10:24:05'), await until('2026-01-01T10:25:05')]).toEqual([0, 1])
  })

  it.each([
    [{ source: 'stripe' }, ['stripe']],
    [{ q: 'TOO-OLD' }, ['github']],
    [{ q: 'does not fit' }, ['stripe', 'github']],
    [{ q: '192.0.2' }, ['stripe', 'github']],
    [{ reason: 'too-old' }, ['github']],
    [{ from: '2026-01-02T02:04:05' }, ['stripe', 'github']],
    [{ from: '2026-01-02T02:04:05.001' }, ['stripe']],
    [{ to: '2026-01-02T01:04:05' }, ['github']],
    [{ to: '2026-01-02T00:04:04.999' }, []],
  ])('shows to %j only %j', async (query, sources) => {
    const store = await storeOf({}, { source: 'github', reason: 'too-old', firstAt: ago(3), lastAt: ago(1) })
    expect(sourcesIn(await listed(store, query as Record<string, string>))).toEqual(sources)
  })

  it('continues after the last row of a page, while others arrive', async () => {
    const sources = ['e', 'd', 'c', 'b', 'a']
    const store = await storeOf(...sources.map((source, index) => ({ source, lastAt: ago(5 - index) })))
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page = await listed(store, { limit: '2', ...(cursor && { cursor }) })
      seen.push(...sourcesIn(page))
      await store.add(countedRefusals({ source: `late-${seen.length}` }), signal)
      cursor = page.nextCursor
    }
    expect(seen).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it.each([
    ['a foreign text', 'abc'],
    ['invalid JSON', Buffer.from('["x",1]').toString('base64url')],
  ])('P02 refuses a cursor that is %s', async (_, cursor) => {
    await expect(listed(await storeOf({}), { cursor })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })

  it('P02 refuses the cursor of another filter', async () => {
    const store = await storeOf({ source: 'a' }, { source: 'b' })
    const { nextCursor } = await listed(store, { limit: '1' })
    const query = { limit: '1', cursor: String(nextCursor) }
    expect(sourcesIn(await listed(store, query))).toEqual(['b'])
    await expect(listed(store, { ...query, reason: 'too-old' })).rejects.toMatchObject({
      details: { validationErrors: [{ field: 'cursor' }] },
    })
  })
})
