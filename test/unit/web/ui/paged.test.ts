import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { aroundPage } from '../events/page-world.ts'

interface Answer {
  readonly numbers: readonly number[]
  readonly nextCursor: string | null
  readonly complete?: boolean
}

const asked: { readonly path: string; answer(body: object, status?: number): void }[] = []

beforeEach(() => {
  vi.resetModules()
  aroundPage()
  asked.length = 0
  vi.stubGlobal('fetch', (path: string) => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    asked.push({ path, answer: (body, status = 200) => resolve(Response.json(body, { status })) })
    return promise
  })
})
afterEach(() => void vi.unstubAllGlobals())

async function numbers() {
  const { pagedOf } = await import('../../../../web/ui/paged.ts')
  return pagedOf('/api/numbers', ({ numbers: rows, ...page }: Answer) => ({ rows, ...page }))
}

it('a list grows by pages while there are more', async () => {
  const list = await numbers()
  const first = list.read({ status: 'FAILED', source: '' })
  asked[0]?.answer({ numbers: [1, 2], nextCursor: 'c' })
  await first
  expect([list.rows.value, list.hasMore.value]).toEqual([[1, 2], true])
  const more = list.readMore()
  asked[1]?.answer({ numbers: [3], nextCursor: null })
  await more
  expect([list.rows.value, list.hasMore.value]).toEqual([[1, 2, 3], false])
  await list.readMore()
  expect(asked.map(({ path }) => path)).toEqual(['/api/numbers?status=FAILED', '/api/numbers?status=FAILED&cursor=c'])
})

it('an answer is not shown after a newer query', async () => {
  const list = await numbers()
  const reads = [list.read({ q: 'a' }), list.read({ q: 'b' })]
  asked[1]?.answer({ numbers: [2], nextCursor: null })
  asked[0]?.answer({ numbers: [1], nextCursor: 'c' })
  await Promise.all(reads)
  expect([list.rows.value, list.hasMore.value]).toEqual([[2], false])
})

it('a list is complete unless its last page says otherwise', async () => {
  const list = await numbers()
  const read = async (page: object) => {
    const more = list.readMore()
    asked.at(-1)?.answer({ numbers: [], nextCursor: 'c', ...page })
    await more
    return list.isComplete.value
  }
  const first = list.read({})
  asked[0]?.answer({ numbers: [1], nextCursor: 'c' })
  await first
  expect(list.isComplete.value).toBe(true)
  expect([await read({ complete: false }), await read({ complete: true }), await read({})]).toEqual([false, true, true])
})

it('a refusal is shown in words, and the rows stay', async () => {
  const list = await numbers()
  const query = { q: 'a' }
  const first = list.read(query)
  asked[0]?.answer({ numbers: [1], nextCursor: null })
  await first
  const again = list.read(query)
  asked[1]?.answer({ message: 'Too many requests' }, 429)
  await again
  expect([list.rows.value, list.trouble.value]).toEqual([[1], 'Too many requests'])
})
