import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { shortCursor } from '../../localstack/listen/since.ts'
import { payment } from '../../test/support/events.ts'
import { type ForwardSink, forwardSink, type Listening, listening } from '../../test/support/listening.ts'
import { freeOffset, type Stack, startStack, temporaryFolder } from '../../test/support/stack.ts'

const until = <T>(what: () => T) => vi.waitUntil(what, { timeout: 120_000, interval: 20 })

const folder = temporaryFolder()
let sink: ForwardSink
let listener: Listening | undefined

beforeAll(async () => {
  sink = await forwardSink()
})

afterEach(async () => {
  listener?.signal('SIGKILL')
  await listener?.ended
})

afterAll(() => {
  sink.close()
  folder.remove()
})

/** How often each event of this path came. */
function arrivals(path: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { url, headers } of sink.calls) {
    const eventId = String(headers['gatehouse-event'])
    if (url === path) counts.set(eventId, (counts.get(eventId) ?? 0) + 1)
  }
  return counts
}

/** Under how many `webhook-id`s each event of this path came. */
function idsOf(path: string): readonly number[] {
  const calls = sink.calls.filter(({ url }) => url === path)
  const byEvent = Map.groupBy(calls, ({ headers }) => headers['gatehouse-event'])
  return [...byEvent.values()].map((same) => new Set(same.map(({ headers }) => headers['webhook-id'])).size)
}

const lastCursor = ({ lines }: Listening) => String(lines.findLast(({ cursor }) => cursor !== undefined)?.cursor)

describe.each([
  ['over the event stream', []],
  ['by the list of events', ['--poll']],
])('500 events, while listener and service are killed, %s', (_, source) => {
  const EVENTS = 500
  const environment = { WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: '0' }
  let stack: Stack
  afterAll(() => stack?.stop())

  it('all arrive, each under one id', async () => {
    const place = {
      ...environment,
      PORT_OFFSET: String(await freeOffset()),
      DATA_DIR: join(folder.path, randomUUID()),
    }
    stack = await startStack(place)
    const { http } = stack.ready
    const path = `/${randomUUID()}`
    const listen = async (since: readonly string[]) => {
      listener = await listening([...source, '--forward-to', sink.url + path, ...since], place)
      expect(listener.lines[0], listener.complaints.join('\n')).toMatchObject({ kind: 'ready' })
    }
    const restart = async (cursorOf: (cursor: string) => string) => {
      listener?.signal('SIGKILL')
      await listener?.ended
      await listen(['--since', cursorOf(lastCursor(listener as Listening))])
    }

    const accepted: string[] = []
    async function send(): Promise<void> {
      while (accepted.length < EVENTS) {
        const eventId = `evt-${randomUUID()}`
        const body = JSON.stringify(payment({ eventId }))
        const post = () => fetch(`${http}/webhooks/payment`, { method: 'POST', body }).then((answer) => answer.ok)
        while (!(await post().catch(() => false))) await setTimeout(50)
        accepted.push(eventId)
      }
    }

    await listen([])
    const sending = Promise.all([send(), send()])
    await until(() => arrivals(path).size >= 100)
    await restart((cursor) => cursor)
    await until(() => arrivals(path).size >= 180)
    await stack.kill()
    await setTimeout(2000)
    stack = await startStack(place)
    await until(() => arrivals(path).size >= 300)
    await restart(shortCursor)
    await until(() => accepted.length >= 400)
    listener?.signal('SIGKILL')
    await Promise.all([stack.kill(), listener?.ended])
    stack = await startStack(place)
    await listen(['--since', lastCursor(listener as Listening)])
    await sending
    await until(() => accepted.every((eventId) => arrivals(path).has(eventId)))

    const counts = [...arrivals(path).values()]
    const calls = counts.reduce((sum, count) => sum + count, 0)
    process.stdout.write(`${accepted.length} accepted, ${counts.length} came, ${calls} calls\n`)
    expect(idsOf(path).every((ids) => ids === 1)).toBe(true)
  })
})
