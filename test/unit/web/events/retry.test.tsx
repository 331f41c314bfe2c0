import { render } from 'preact-render-to-string'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { aroundPage } from './page-world.ts'
import { record } from './records.ts'

const fetched = vi.fn<typeof fetch>()
const KEY = { source: 'payment', eventId: 'event-1' }

beforeEach(() => {
  vi.useFakeTimers()
  vi.resetModules()
  aroundPage()
  vi.stubGlobal('fetch', fetched)
  fetched.mockReset()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function load() {
  const { Toast } = await import('../../../../web/ui/toast.tsx')
  return { ...(await import('../../../../web/events/retry.tsx')), toast: () => render(<Toast />) }
}

const answer = (body: object, status = 200) => Promise.resolve(new Response(JSON.stringify(body), { status }))

it.each([
  ['is processed', record({ status: 'PROCESSED' }), 'PAYMENT is processed'],
  ['has failed again', record({ status: 'FAILED', errorMessage: 'it is closed' }), 'PAYMENT failed again'],
])('reports that the event %s, when it is', async (_, last, title) => {
  const { retry, toast } = await load()
  fetched.mockImplementationOnce(() => answer(record({ status: 'RETRY' }), 202))
  fetched.mockImplementationOnce(() => answer(record({ status: 'PROCESSING' })))
  fetched.mockImplementation(() => answer(last))
  await retry(KEY)
  expect(toast()).toContain('Retry of PAYMENT requested')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(toast()).toContain(title)
  expect(toast()).toContain('You retried event-1.')
})

it('shows why there is no retry, and waits for nothing', async () => {
  const { retry, ordered, toast } = await load()
  fetched.mockImplementation(() => answer({ message: 'It has not failed' }, 409))
  await retry(KEY)
  await vi.advanceTimersByTimeAsync(300_000)
  expect(toast()).toContain('No retry: It has not failed')
  expect([ordered.value.size, fetched.mock.calls.length]).toEqual([0, 1])
})

it('a second click during the request has no effect', async () => {
  const { retry } = await load()
  fetched.mockReturnValue(new Promise(() => {}))
  void retry(KEY)
  await retry(KEY)
  expect(fetched).toHaveBeenCalledTimes(1)
})
