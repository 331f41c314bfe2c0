import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { credentialsFor, type StageApi, StageAway, stageAt } from '../../../../../localstack/commands/listen/stage.ts'
import { fixedClock } from '../../../../support/fakes/clock.ts'
import { freePort } from '../../../../support/free-port.ts'

let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A stage as a listener sees it, and the requests that it got. */
async function stageThat(answer: Answer, given: NodeJS.ProcessEnv = { GATEHOUSE_TOKEN: 'a.b.c' }) {
  const requests: IncomingMessage[] = []
  server = createServer((request, response) => {
    requests.push(request)
    answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const clock = fixedClock()
  return { stage: stageAt({ address, credentials: credentialsFor(address, undefined, given, clock), clock }), requests }
}

const json =
  (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Answer =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

const NAMED = { id: '7', source: 'demo', eventId: 'a/b c', eventType: 'x' }
const DETAIL = {
  ...NAMED,
  receivedAt: '2026-01-02T03:04:05.000',
  headers: { 'content-type': 'text/plain' },
  history: [{ at: '2026-01-02T03:04:05.000', by: 'intake', status: 'PROCESSED' }],
  payload: '\ufeffé',
  payloadEncoding: 'utf8',
  payloadTruncated: false,
}

const look = (stage: StageApi) => stage.page({ limit: '1' })

describe('a listener sends requests', () => {
  it('with an API key in its own header, and without a token', async () => {
    const { stage, requests } = await stageThat(json({ events: [], nextCursor: null }), {
      GATEHOUSE_API_KEY: 'ghk_1_x',
    })
    expect(await look(stage)).toMatchObject({ events: [], nextCursor: null })
    expect(requests[0]?.headers).toMatchObject({ 'x-api-key': 'ghk_1_x' })
    expect(requests[0]?.headers.authorization).toBeUndefined()
  })

  it('with a token, and uses the time of the answer', async () => {
    const date = 'Fri, 02 Jan 2026 03:00:00 GMT'
    const { stage, requests } = await stageThat(json({ events: [], nextCursor: null }, 200, { date }))
    expect((await look(stage)).at).toEqual(new Date(date))
    expect(requests[0]?.headers.authorization).toBe('Bearer a.b.c')
  })

  it('with only one of them', () => {
    const both = { GATEHOUSE_TOKEN: 'a.b.c', GATEHOUSE_API_KEY: 'ghk_1_x' }
    const address = new URL('https://api.example.com')
    expect(() => credentialsFor(address, undefined, both, fixedClock())).toThrow('not both')
    expect(() => credentialsFor(address, undefined, {}, fixedClock())).toThrow('Who asks?')
  })

  it('for the bytes of an event as they were received', async () => {
    const { stage, requests } = await stageThat(json(DETAIL))
    expect((await stage.event(NAMED))?.payload).toEqual(Buffer.from('\ufeffé'))
    expect(requests.map(({ url }) => url)).toEqual(['/api/webhooks/events/demo/a%2Fb%20c'])
  })

  it('for a large payload separately', async () => {
    const bytes = Buffer.from([0xff, 0x00, 0xfe])
    const { stage, requests } = await stageThat((request, response) => {
      if (request.url?.endsWith('/payload')) response.end(bytes)
      else json({ ...DETAIL, payloadTruncated: true })(request, response)
    })
    expect((await stage.event(NAMED))?.payload).toEqual(bytes)
    expect(requests).toHaveLength(2)
  })

  it.each([
    ['an unknown event', json({ message: 'Event not found' }, 404)],
    ['a deleted payload', json({ ...DETAIL, payload: null, payloadEncoding: null })],
    ['a lost payload', json({ message: 'Payload deleted' }, 410)],
  ])('and finds nothing for %s', async (_, answer) => {
    const { stage } = await stageThat(answer)
    expect(await stage.event(NAMED)).toBeUndefined()
  })

  it('for no event with an id that an address cannot contain', async () => {
    const { stage, requests } = await stageThat(json(DETAIL))
    expect(await stage.event({ ...NAMED, eventId: '..' })).toBeUndefined()
    expect(requests).toEqual([])
  })

  it.each([
    [401, 'The token in GATEHOUSE_TOKEN is not, or no longer, good'],
    [403, "answers 403: You don't have permission"],
    [302, "answers 302: You don't have permission"],
  ])('and ends with the reason at %s', async (status, reason) => {
    const { stage } = await stageThat(json({ message: "You don't have permission" }, status, { location: 'http://x/' }))
    await expect(look(stage)).rejects.toThrow(reason)
  })

  it('and reports how to replace an invalid API key', async () => {
    const { stage } = await stageThat(json({}, 401), { GATEHOUSE_API_KEY: 'ghk_1_x' })
    await expect(look(stage)).rejects.toThrow('The API key in GATEHOUSE_API_KEY')
  })

  it('and logs in again when the token from a password expires', async () => {
    let token = 0
    const { stage } = await stageThat((request, response) => {
      if (request.url === '/api/auth/login') return json({ token: `t${++token}` })(request, response)
      const isGood = request.headers.authorization === 'Bearer t2'
      json(isGood ? { events: [], nextCursor: null } : {}, isGood ? 200 : 401)(request, response)
    }, {})
    expect(await look(stage)).toMatchObject({ events: [] })
    expect(token).toBe(2)
  })

  it.each([429, 500, 502, 503])('and waits after %s for the time in Retry-After', async (status) => {
    const { stage } = await stageThat(json({}, status, { 'retry-after': '7' }))
    await expect(look(stage)).rejects.toMatchObject({ name: 'StageAway', retryAfter: 7000 })
  })

  it('and ends if another program answers', async () => {
    const { stage } = await stageThat((_, response) => void response.end('<html>It works!</html>'))
    await expect(look(stage)).rejects.toThrow('is not Gatehouse')
  })

  it('and waits if nothing answers, or an answer is cut off', async () => {
    const { stage } = await stageThat((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{')
      setImmediate(() => response.destroy())
    })
    await expect(look(stage)).rejects.toThrow(StageAway)
    const address = new URL(`http://127.0.0.1:${await freePort()}`)
    const clock = fixedClock()
    const nobody = stageAt({
      address,
      credentials: credentialsFor(address, undefined, { GATEHOUSE_TOKEN: 'x' }, clock),
      clock,
    })
    await expect(look(nobody)).rejects.toThrow(`nothing answers at ${address.origin}`)
  })
})
