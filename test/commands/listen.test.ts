import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { tokenOf } from '../support/accounts.ts'
import { call } from '../support/client.ts'
import { command } from '../support/command.ts'
import { genericSignature, payment, postPayment } from '../support/events.ts'
import { failedEvent } from '../support/fakes/webhooks.ts'
import { type ForwardedCall, type ForwardSink, forwardSink, type Listening, listening } from '../support/listening.ts'
import { leaveBehind } from '../support/local-tables.ts'
import { served } from '../support/served.ts'

let sink: ForwardSink
const running: Listening[] = []

beforeAll(async () => {
  sink = await forwardSink()
})

afterEach(async () => {
  for (const one of running.splice(0)) {
    one.signal('SIGKILL')
    await one.ended
  }
  sink.answer(204)
})

afterAll(() => sink.close())

const FEED = () => ['--grpc', served('ready').grpc]

async function listen(path: string, args: readonly string[], environment: Record<string, string> = {}) {
  const url = args.includes('--url') ? [] : ['--url', inject('http')]
  const given = [...url, '--forward-to', sink.url + path, ...args]
  const started = await listening(given, environment)
  running.push(started)
  return started
}

const until = <T>(what: () => T) => vi.waitUntil(what, { timeout: 20_000, interval: 20 })

/** Stores a body of another source, which gives each event the type that it names. */
async function postDemo(eventType: string, more: object = {}): Promise<string> {
  const eventId = randomUUID()
  const body = JSON.stringify({ eventId, eventType, ...more })
  const headers = { 'content-type': 'application/json', ...genericSignature(body, undefined, 'demo') }
  expect((await call('/webhooks/demo', { method: 'POST', headers, body })).status).toBe(200)
  return eventId
}

const callsOf = (path: string, eventId: string): readonly ForwardedCall[] =>
  sink.calls.filter(({ url, headers }) => url === path && headers['gatehouse-event'] === eventId)

const linesOf = ({ lines }: Listening, eventId: string) => lines.filter((line) => line.eventId === eventId)

describe.each([
  ['over the event stream', FEED],
  ['by the list of events', () => ['--poll']],
])('npx gatehouse listen, %s', (_, source) => {
  it('forwards the bytes as they were received, signed as Standard Webhooks has it', async () => {
    const path = `/hooks?run=${randomUUID()}&x=%20`
    const run = await listen(path, source())
    const eventId = await postDemo('a.b', { note: 'é' })
    await until(() => callsOf(path, eventId).length > 0)
    const [{ headers, body }] = callsOf(path, eventId) as [ForwardedCall]
    const secret = String(run.lines[0]?.['secret'])
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({ eventId, note: 'é' })
    expect(headers).toMatchObject({
      'webhook-id': expect.stringMatching(/^gh_\d+$/),
      'content-type': 'application/json',
      'content-length': String(body.length),
      'gatehouse-source': 'demo',
      'gatehouse-attempt': '1',
      'user-agent': 'Gatehouse',
    })
    await until(() => linesOf(run, eventId).length > 0)
    expect(linesOf(run, eventId)).toMatchObject([{ kind: 'forwarded', answer: 'HTTP 204', delivered: true, tries: 1 }])
  })

  it('continues where it was killed, and forwards every event', async () => {
    const path = `/${randomUUID()}`
    const first = await listen(path, source())
    const before = await postDemo('a.b')
    await until(() => linesOf(first, before).length > 0)
    const cursor = String(linesOf(first, before)[0]?.cursor)
    first.signal('SIGKILL')
    await first.ended
    const meanwhile = await postDemo('a.b')
    await listen(path, [...source(), '--since', cursor])
    await until(() => callsOf(path, meanwhile).length > 0)
    expect(new Set(callsOf(path, before).map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  it('reports which event it skips and why', async () => {
    const path = `/${randomUUID()}`
    const eventId = `evt-${randomUUID()}`
    const run = await listen(path, [...source(), '--source', 'payment', '--source', 'demo', '--type', 'NOTHING.*'])
    await postPayment(payment({ eventId }))
    await until(() => linesOf(run, eventId).length > 0)
    expect(linesOf(run, eventId)).toMatchObject([{ kind: 'skipped', reason: 'type does not match' }])
    expect(callsOf(path, eventId)).toEqual([])
  })
})

describe('npx gatehouse listen', () => {
  it('forwards an event that an operator replays, and names the replay', async () => {
    const path = `/${randomUUID()}`
    const eventId = `evt-${randomUUID()}`
    const payload = Buffer.from(JSON.stringify(payment({ eventId })))
    const payloadSha256 = createHash('sha256').update(payload).digest('hex')
    await leaveBehind(failedEvent({ eventId, payload, payloadSha256, dead: true, nextRetryAt: undefined }))
    const run = await listen(path, FEED())
    const replayId = `replay-${randomUUID()}`
    const replayed = await command('replay', ['--url', inject('http'), '--q', eventId, '--id', replayId])
    expect(replayed.code).toBe(0)
    await until(() => linesOf(run, eventId).some(({ kind }) => kind === 'forwarded'))
    expect(callsOf(path, eventId).map(({ headers }) => headers['gatehouse-replay'])).toEqual([replayId])
    expect(linesOf(run, eventId)).toMatchObject([{ again: true, replay: replayId }])
  })

  it('signs with a given secret and does not print it; accepts a token', async () => {
    const path = `/${randomUUID()}`
    const secret = `whsec_${randomBytes(24).toString('base64')}`
    const environment = { GATEHOUSE_TOKEN: await tokenOf('admin'), GATEHOUSE_LISTEN_SECRET: secret }
    const run = await listen(path, FEED(), environment)
    const eventId = await postDemo('a.b')
    await until(() => callsOf(path, eventId).length > 0)
    const [{ headers, body }] = callsOf(path, eventId) as [ForwardedCall]
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({ eventId })
    expect(JSON.stringify(run.lines)).not.toContain(secret)
  })

  it('ends with Ctrl-C, and prints the cursor from which to continue', async () => {
    const run = await listen('/', FEED())
    run.signal('SIGINT')
    expect(await run.ended).toBe(0)
    expect(run.lines.at(-1)).toEqual({ kind: 'stopped', cursor: run.lines[0]?.cursor })
  })

  it.each<[string, readonly string[], () => Promise<Record<string, string>>, string]>([
    ['a user', [], async () => ({ GATEHOUSE_TOKEN: await tokenOf('user') }), "answers 403: You don't have permission"],
    [
      'a wrong password',
      ['--user', 'admin'],
      async () => ({ GATEHOUSE_PASSWORD: 'no' }),
      'Invalid username or password',
    ],
    [
      'an address where nothing listens',
      ['--url', 'http://127.0.0.1:9'],
      async () => ({}),
      'Nothing answers at http://127.0.0.1:9',
    ],
  ])('ends with 1 and the reason: %s', async (_, args, environment, reason) => {
    const run = await listen('/', [...FEED(), ...args], await environment())
    expect(await run.ended).toBe(1)
    expect(run.complaints).toEqual([expect.stringContaining(reason)])
    expect(run.lines).toEqual([])
  })
})
