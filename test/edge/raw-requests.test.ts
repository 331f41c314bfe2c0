import { describe, expect, inject, it, vi } from 'vitest'
import { call } from '../support/client.ts'
import { openSocket, sendRaw } from '../support/raw-socket.ts'

const SECRET_PATH = '/api/admin/secure'

/** A request line and header lines as they are; nothing is added but the end of the headers. */
const lines = (...given: readonly string[]) => `${given.join('\r\n')}\r\n\r\n`

describe('H13 an ambiguous request gets 400 and the connection is closed', () => {
  const smuggled = lines(`GET ${SECRET_PATH} HTTP/1.1`, 'Host: 127.0.0.1')

  it.each([
    [
      'Content-Length and Transfer-Encoding',
      `${lines('POST /api/auth/login HTTP/1.1', 'Host: 127.0.0.1', 'Content-Length: 4', 'Transfer-Encoding: chunked')}0\r\n\r\n${smuggled}`,
    ],
    [
      'two Content-Lengths',
      `${lines('POST /api/auth/login HTTP/1.1', 'Host: 127.0.0.1', 'Content-Length: 0', 'Content-Length: 60')}${smuggled}`,
    ],
    ['a Content-Length with a sign', lines('POST /api/auth/login HTTP/1.1', 'Host: 127.0.0.1', 'Content-Length: +4')],
    [
      'chunked that is not the last coding',
      `${lines('POST /api/auth/login HTTP/1.1', 'Host: 127.0.0.1', 'Transfer-Encoding: chunked, x')}0\r\n\r\n${smuggled}`,
    ],
    [
      'a chunk size that is not a number',
      `${lines('POST /api/auth/login HTTP/1.1', 'Host: 127.0.0.1', 'Transfer-Encoding: chunked')}zz\r\n\r\n`,
    ],
    ['a space before the colon', lines(`GET ${SECRET_PATH} HTTP/1.1`, 'Host: 127.0.0.1', 'Content-Length : 4')],
    ['a CR in a header value', lines(`GET ${SECRET_PATH} HTTP/1.1`, 'Host: 127.0.0.1', 'X-A: b\rX-C: d')],
    ['a NUL in a header value', lines(`GET ${SECRET_PATH} HTTP/1.1`, 'Host: 127.0.0.1', 'X-A: b\0')],
    ['no Host', lines(`GET ${SECRET_PATH} HTTP/1.1`)],
    ['no HTTP', 'hello\r\n\r\n'],
  ])('%s', async (_, bytes) => {
    const { statuses, isClosed } = await sendRaw(inject('http'), bytes)
    expect(statuses).toEqual([400])
    expect(isClosed).toBe(true)
  })

  it.each([
    ['a folded header', lines(`GET ${SECRET_PATH} HTTP/1.1`, 'Host: 127.0.0.1', 'X-A: b', ' Authorization: Bearer x')],
    ['bare line feeds', `GET ${SECRET_PATH} HTTP/1.1\nHost: 127.0.0.1\n\n`],
  ])('H13 %s: 400, or one answer to one request without credentials', async (_, bytes) => {
    const { statuses } = await sendRaw(inject('http'), bytes)
    expect(statuses).toHaveLength(1)
    expect([400, 401]).toContain(statuses[0])
  })
})

describe('H14 headers that are too many or too large', () => {
  it('200 of them that are more than 10 KB together: 431', async () => {
    const headers = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`x-header-${index}`, 'v'.repeat(60)]))
    for (const path of ['/api/public/hello', SECRET_PATH, '/nothing']) {
      expect((await call(path, { headers }, { isGatewayAllowed: true })).status).toBe(431)
    }
  })

  it('one of 17 KiB, more than Node reads: 400', async () => {
    const headers = { 'x-header': 'v'.repeat(17 * 1024) }
    expect((await call('/api/public/hello', { headers }, { isGatewayAllowed: true })).status).toBe(400)
  })

  it('3,000 of them: 400, and the service continues', async () => {
    const many = Array.from({ length: 3000 }, (_, index) => `a${index}: 1`)
    const { statuses } = await sendRaw(
      inject('http'),
      lines('GET /api/public/hello HTTP/1.1', 'Host: 127.0.0.1', 'Connection: close', ...many),
    )
    expect(statuses).toEqual([400])
    expect((await call('/api/public/hello')).status).toBe(200)
  })
})

describe('H25 unfinished connections', () => {
  it('500 of them do not block other clients', async () => {
    const sockets = await Promise.all(Array.from({ length: 500 }, () => openSocket(inject('http'))))
    for (const [index, socket] of sockets.entries()) {
      if (index % 2 === 0)
        socket.write('POST /api/auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\nusern')
      else socket.write('GET /api/public/hello HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ')
    }
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('/api/public/hello')))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    for (const socket of sockets) socket.destroy()
    expect((await call('/api/public/hello')).status).toBe(200)
  })
})

describe('H36 no other protocol bypasses the checks', () => {
  const upgrade = (...more: readonly string[]) =>
    lines(`GET ${SECRET_PATH} HTTP/1.1`, 'Host: 127.0.0.1', ...more, 'Authorization: Bearer x')

  it.each<[string, string, readonly number[]]>([
    [
      'an upgrade to h2c',
      upgrade('Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'),
      [401],
    ],
    ['an upgrade to TLS', upgrade('Connection: Upgrade', 'Upgrade: TLS/1.2'), [401]],
    [
      'an upgrade to a web socket',
      upgrade(
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      ),
      [401],
    ],
    [
      'an announced body',
      `${lines('POST /api/users HTTP/1.1', 'Host: 127.0.0.1', 'Expect: 100-continue', 'Content-Length: 2')}{}`,
      [100, 401],
    ],
    ['a tunnel', lines('CONNECT 127.0.0.1:22 HTTP/1.1', 'Host: 127.0.0.1'), []],
    ['HTTP/0.9, which has no headers and so no host', `GET ${SECRET_PATH}\r\n\r\n`, [421]],
    ['HTTP/2 without an upgrade', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
    [
      'two pipelined requests',
      lines('GET /api/public/hello HTTP/1.1', 'Host: 127.0.0.1') +
        lines(`GET ${SECRET_PATH} HTTP/1.1`, 'Host: 127.0.0.1'),
      [200, 401],
    ],
  ])('%s', async (_, bytes, expected) => {
    // On a busy machine an answer takes a while; one too many would come at once behind it.
    let statuses: readonly number[] = []
    const areThere = async () => {
      statuses = (await sendRaw(inject('http'), bytes)).statuses
      return statuses.length >= expected.length
    }
    await vi.waitUntil(areThere, { timeout: 30_000 })
    expect(statuses).toEqual(expected)
  })
})

it.each(['http://127.0.0.1', 'http://elsewhere.example', 'https://elsewhere.example:1'])(
  'H31 a request target that names %s requires credentials like any other',
  async (origin) => {
    const request = lines(`GET ${origin}${SECRET_PATH} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: close')
    expect((await sendRaw(inject('http'), request)).statuses).toEqual([401])
  },
)
