import { spawn } from 'node:child_process'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { demoUser, tokenOf } from '../support/accounts.ts'
import { makeKey } from '../support/api-keys.ts'
import { CookieClient } from '../support/browser-client.ts'
import { openEventStream } from '../support/event-stream.ts'
import { payment, postPayment } from '../support/events.ts'
import { served } from '../support/served.ts'
import { callStomp } from '../support/stomp-call.ts'

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
    const streams = await Promise.all([1, 2].map(() => openEventStream(url(), headers)))
    expect(streams.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  it('S22 opens one STOMP session, with the rights of the user who logged in', async () => {
    const { authorization } = await (await adminPage()).ticket()
    const open = async () => {
      const connect = `CONNECT\naccept-version:1.2\nAuthorization:${authorization}\n\n\0`
      return (await callStomp(connect, 'SUBSCRIBE\nid:0\ndestination:/topic/webhooks\nreceipt:1\n\n\0')).answers
    }
    expect((await open()).map(({ command }) => command)).toEqual(['CONNECTED', 'RECEIPT'])
    expect(JSON.parse((await open())[0]?.body ?? '')).toMatchObject({
      status: 401,
      message: 'Invalid or expired live ticket',
      details: { authType: 'Ticket', reason: 'Bad credentials' },
      path: '/ws',
    })
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
