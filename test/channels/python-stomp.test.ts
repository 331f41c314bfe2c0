import { describe, expect, it } from 'vitest'
import { tokenOf } from '../support/accounts.ts'
import { pythonWith, runPython } from '../support/python.ts'
import { served } from '../support/served.ts'

const python = pythonWith('stomp')

interface Heard {
  readonly frames: readonly {
    readonly command: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }[]
  readonly isConnected: boolean
}

/** Two ways to hand over the token. */
const CREDENTIALS: Readonly<Record<string, (token: string) => object>> = {
  'a header Authorization': (token) => ({ headers: { Authorization: `Bearer ${token}` } }),
  'its passcode': (token) => ({ username: 'whoever', passcode: token }),
}

async function converse(version: string, way: string, token: string): Promise<Heard> {
  const [host, port] = (served('ready').stompTcp ?? '').split(':')
  const told = { host, port: Number(port), version, credentials: CREDENTIALS[way]?.(token) }
  return (await runPython(python ?? '', 'stomp_client.py', told)) as Heard
}

/** Headers that the client sends too, and that are the server's. */
const FORGED = /^(?:Sender|user-name|server|session)$/

const cases = ['1.0', '1.1', '1.2'].flatMap((version) => Object.keys(CREDENTIALS).map((way) => [version, way] as const))

describe.skipIf(python === undefined)("Debian's python3-stomp, over TCP", () => {
  it.each(cases)(
    'T13 in version %s with the token as %s has a whole conversation, and cannot impersonate another user',
    async (version, way) => {
      const { frames, isConnected } = await converse(version, way, await tokenOf('user'))
      expect(frames[0]).toMatchObject({ command: 'CONNECTED', headers: { version, 'user-name': 'user' } })
      const receipts = frames.flatMap(({ command, headers }) => (command === 'RECEIPT' ? [headers['receipt-id']] : []))
      expect(receipts.toSorted()).toEqual(['acknowledged', 'bye', 'committed', 'sent', 'subscribed', 'unsubscribed'])
      expect(frames.at(-1)?.headers).toMatchObject({ 'receipt-id': 'bye' })
      const messages = frames.filter(({ command }) => command === 'MESSAGE')
      expect(messages.map(({ body }) => body)).toEqual(['grüß Gott', 'first', 'second'])
      expect(messages[0]?.headers).toMatchObject({
        destination: '/topic/public/python',
        subscription: '7',
        'content-type': 'text/plain',
        mood: 'good: \\ day',
      })
      for (const { headers } of messages) {
        expect(headers['sender']).toBe('user')
        expect(Object.keys(headers)).not.toEqual(expect.arrayContaining([expect.stringMatching(FORGED)]))
      }
      expect(frames.length).toBe(1 + receipts.length + messages.length)
      expect(isConnected).toBe(false)
    },
  )

  it.each(cases)('in version %s with a bad token as %s is refused', async (version, way) => {
    const { frames, isConnected } = await converse(version, way, 'not.a.token')
    expect(frames).toMatchObject([{ command: 'ERROR', headers: { 'token-status': 'MALFORMED' } }])
    expect(JSON.parse(frames[0]?.body ?? '')).toMatchObject({
      status: 401,
      message: 'Invalid or expired JWT token',
      details: { tokenStatus: 'MALFORMED' },
    })
    expect(isConnected).toBe(false)
  })
})
