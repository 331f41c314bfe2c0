import { beforeEach, expect, it, vi } from 'vitest'
import type { SignedRequest } from '../../../../lib/contract/console.ts'
import { aroundPage } from './page-world.ts'

const REQUEST: SignedRequest = {
  source: 'payment',
  eventId: 'pay-1',
  expected: 200,
  method: 'POST',
  path: '/webhooks/payment',
  headers: { 'x-signature': 'a' },
  body: '{}',
}
const ORDER = { source: 'payment', event: 'COMPLETED', fails: true }

const fetched = vi.fn<typeof fetch>()
const answer = (status: number, body: object) => new Response(JSON.stringify(body), { status })

/** The module as a page of a local run loads it. */
function load() {
  aroundPage()
  return import('../../../../web/events/test-events.tsx')
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.resetModules()
  vi.stubGlobal('fetch', fetched)
  fetched.mockReset()
})

it('an event is signed with the session, and sent without it', async () => {
  const { send, sent, isAnsweredAsExpected, isSending } = await load()
  const requests = [REQUEST, { ...REQUEST, eventId: 'pay-2', expected: 500 }]
  fetched.mockResolvedValueOnce(answer(200, { requests }))
  fetched.mockResolvedValueOnce(answer(200, { success: true }))
  fetched.mockResolvedValueOnce(answer(500, { success: false }))
  await send(ORDER)
  const [signing, first, second] = fetched.mock.calls
  expect(signing).toMatchObject(['/local/test-events', { method: 'POST', body: JSON.stringify(ORDER) }])
  expect(new Headers(signing?.[1]?.headers).get('x-xsrf-token')).toBe('random.signature')
  const wanted = [
    '/webhooks/payment',
    { method: 'POST', credentials: 'omit', headers: { 'x-signature': 'a' }, body: '{}' },
  ]
  expect([first, second]).toEqual([wanted, wanted])
  expect(sent.value.map(({ request, exchange }) => [request.eventId, exchange.status])).toEqual([
    ['pay-1', 200],
    ['pay-2', 500],
  ])
  expect(sent.value.map(isAnsweredAsExpected)).toEqual([true, true])
  expect(isSending.value).toBe(false)
})

it('an unexpected answer is marked', async () => {
  const { send, sent, isAnsweredAsExpected } = await load()
  fetched.mockResolvedValueOnce(answer(200, { requests: [REQUEST] }))
  fetched.mockResolvedValueOnce(answer(429, {}))
  await send(ORDER)
  expect(sent.value.map(isAnsweredAsExpected)).toEqual([false])
})

it.each([
  ['the service is down', () => Promise.reject(new TypeError('fetch failed')), 'The service does not answer.'],
  ['it signs for no provider', async () => answer(404, { message: 'No endpoint found' }), 'No endpoint found'],
])('when %s, this is shown, and the order can be repeated', async (_, respond, text) => {
  const { send, findSenders, sendProblem, localSenders, isSending } = await load()
  fetched.mockImplementation(respond)
  await findSenders()
  expect([sendProblem.value, localSenders.value]).toEqual([text, undefined])
  await send(ORDER)
  expect([sendProblem.value, isSending.value]).toEqual([text, false])
  fetched.mockImplementation(async () => answer(200, { senders: [], requests: [] }))
  await findSenders()
  expect([sendProblem.value, localSenders.value]).toEqual([undefined, []])
})

it('during a request, another order has no effect', async () => {
  const { send } = await load()
  const { promise, resolve } = Promise.withResolvers<Response>()
  fetched.mockReturnValueOnce(promise)
  const sending = send(ORDER)
  await send(ORDER)
  expect(fetched).toHaveBeenCalledTimes(1)
  resolve(answer(200, { requests: [] }))
  await sending
})
