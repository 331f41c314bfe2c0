import { spawn } from 'node:child_process'
import { Client } from '@stomp/stompjs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { demoUser, tokenOf } from '../support/accounts.ts'
import { makeKey } from '../support/api-keys.ts'
import { CookieClient } from '../support/browser-client.ts'
import { openEventStream } from '../support/event-stream.ts'
import { payment, postPayment } from '../support/events.ts'
import { served } from '../support/served.ts'
import { subscribed } from '../support/stomp-client.ts'

const asAdmin = async () => ({ authorization: `Bearer ${await tokenOf('admin')}` })
const url = () => served('ready').events

/** An admin's browser, and tickets for its pages. */
async function adminPage() {
  const browser = new CookieClient()
  await browser.login('admin', demoUser('admin').password)
  return {
    browser,
    async ticket(): Promise<{ readonly authorization: string }> {
      const { json } = await browser.call('/api/live-ticket', { method: 'POST', headers: browser.csrf() })
      return { authorization: `Ticket ${json.ticket}` }
    },
  }
}

/** The body of the ERROR, or nothing for a client that is connected. */
async function stompWith(connectHeaders: Record<string, string>) {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const client = new Client({
    webSocketFactory: () => new WebSocket(served('ready').ws, ['v12.stomp']),
    connectHeaders,
    reconnectDelay: 0,
    onConnect: () => resolve(undefined),
    onStompError: ({ body }) => resolve(body),
  })
  onTestFinished(() => client.deactivate())
  client.activate()
  const refusal = await promise
  return { client, refusal: refusal === undefined ? undefined : JSON.parse(refusal) }
}

/** What curl has printed so far. */
function curl(...args: readonly string[]): () => string {
  const child = spawn('curl', ['--silent', '--show-error', '--no-buffer', '--include', ...args])
  onTestFinished(() => void child.kill())
  let printed = ''
  for (const output of [child.stdout, child.stderr]) output.on('data', (bytes) => (printed += bytes))
  return () => printed
}

describe('the stream of events of the running service', () => {
  it('sends a new webhook to curl', async () => {
    const printed = curl('-H', `Authorization: ${(await asAdmin()).authorization}`, `${url()}?source=payment`)
    await vi.waitUntil(() => /^id: .+\n/m.test(printed()), 20_000)
    const sent = payment()
    await postPayment(sent)
    await vi.waitUntil(() => printed().includes(String(sent['eventId'])), 20_000)
    expect(printed()).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    const [, id, body = ''] = /event: webhook\nid: (.+)\ndata: (.+)\n\n/.exec(printed()) ?? []
    expect(JSON.parse(body)).toMatchObject({ cursor: id, source: 'payment' })
  })

  it('sends after a reconnect with the last id only the missed events', async () => {
    const [before, missed, after] = [payment(), payment(), payment()]
    const own = [before, missed, after].map((one) => String(one['eventId']))
    const idsIn = (stream: Awaited<ReturnType<typeof openEventStream>>) =>
      stream.events.map(({ data }) => data.eventId as string)
    const first = await openEventStream(url(), await asAdmin())
    await vi.waitUntil(() => first.state.lastEventId !== '', 20_000)
    await postPayment(before)
    await vi.waitUntil(() => idsIn(first).includes(String(before['eventId'])), 20_000)
    first.close()
    await postPayment(missed)
    const again = await openEventStream(url(), { ...(await asAdmin()), 'last-event-id': first.state.lastEventId })
    await postPayment(after)
    for (const each of [missed, after]) {
      await vi.waitUntil(() => idsIn(again).includes(String(each['eventId'])), 20_000)
    }
    // Events of other tests are there as well, some in several states.
    expect(
      idsIn(again)
        .filter((id) => own.includes(id))
        .sort(),
    ).toEqual(own.slice(1).sort())
  })

  it('accepts a key, and sends only the events of its sources', async () => {
    const { key } = await makeKey(['nobody-sends'])
    const headers = { 'x-api-key': key }
    const stream = await openEventStream(url(), headers)
    await vi.waitUntil(() => stream.state.lastEventId !== '', 20_000)
    const named = await fetch(`${url()}?source=payment`, { headers })
    expect([stream.status, named.status, await named.json()]).toMatchObject([
      200,
      403,
      { details: { sources: ['nobody-sends'] } },
    ])
  })
})

describe('a ticket', () => {
  it('S22 opens one stream, and no second one', async () => {
    const headers = await (await adminPage()).ticket()
    const streams = await Promise.all([1, 2, 3, 4].map(() => openEventStream(url(), headers)))
    expect(streams.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
    expect((await stompWith({ Authorization: headers.authorization })).refusal).toMatchObject({
      status: 401,
      message: 'Invalid or expired live ticket',
      details: { authType: 'Ticket', reason: 'Bad credentials' },
      path: '/ws',
    })
  })

  it('S22 opens one STOMP session, with the rights of the user who logged in', async () => {
    const { authorization } = await (await adminPage()).ticket()
    const [one, other] = await Promise.all([
      stompWith({ Authorization: authorization }),
      stompWith({ Authorization: authorization }),
    ])
    const [connected, refused] = one.refusal ? [other, one] : [one, other]
    expect(refused.refusal).toMatchObject({ status: 401, details: { reason: 'Bad credentials' } })
    const told: string[] = []
    await subscribed(connected.client, '/topic/webhooks', ({ body }) => told.push(JSON.parse(body).eventId))
    const sent = payment()
    await postPayment(sent)
    await vi.waitUntil(() => told.includes(String(sent['eventId'])), 20_000)
  })

  it('S22 opens nothing after the logout, and is ignored in the address', async () => {
    const { browser, ticket } = await adminPage()
    const headers = await ticket()
    const query = new URLSearchParams({ ticket: (await ticket()).authorization.replace('Ticket ', '') })
    expect((await fetch(`${url()}?${query}`)).status).toBe(401)
    await browser.call('/logout', { method: 'POST', headers: browser.csrf() })
    const refused = await fetch(url(), { headers })
    expect([refused.status, await refused.json()]).toMatchObject([401, { details: { reason: 'Session ended' } }])
  })
})
