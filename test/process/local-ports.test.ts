import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canConnect } from '../../localstack/stack/parts.ts'
import { PORT_NAMES, type PortName, type Ports, portsAt } from '../../localstack/stack/ports.ts'
import { sendRaw } from '../support/raw-socket.ts'
import { freeOffset, type Stack, startStack } from '../support/stack.ts'

/** The host of BASE_URL, as somebody has it who shows their run to others through a tunnel. */
const TUNNEL = 'tunnel.example'

/** What is sent to each port that speaks HTTP, and how that answers to whom it serves. */
const SERVED: Readonly<Partial<Record<PortName, { readonly line: string; readonly status: number }>>> = {
  http: { line: 'GET /api/public/hello HTTP/1.1', status: 200 },
  google: { line: 'GET /.well-known/openid-configuration HTTP/1.1', status: 200 },
  github: { line: 'GET /user HTTP/1.1', status: 401 },
  facebook: { line: 'GET /v23.0/me HTTP/1.1', status: 400 },
  lambda: { line: 'GET /2015-03-31/functions HTTP/1.1', status: 404 },
  dynamodb: { line: 'GET / HTTP/1.1', status: 200 },
  sqs: { line: 'GET /health HTTP/1.1', status: 200 },
}

/** These speak no HTTP, belong to the channels, whose tests they have, or are there for a configured bus alone. */
const OTHERS: readonly PortName[] = ['ws', 'grpc', 'ldap', 'websocket', 'events']

const rows = Object.entries(SERVED).map(([name, request]) => ({ name: name as PortName, ...request }))

let stack: Stack
let ports: Ports

beforeAll(async () => {
  const offset = await freeOffset()
  ports = portsAt(offset)
  stack = await startStack({
    PORT_OFFSET: String(offset),
    DATA_DIR: 'memory',
    BASE_URL: `http://${TUNNEL}`,
    TRUSTED_ORIGINS: 'https://partner.example',
  })
}, 240_000)
afterAll(() => stack?.stop())

async function statusOf(name: PortName, ...lines: readonly string[]): Promise<readonly number[]> {
  return statusOfRequest(name, [...lines, 'Connection: close', '', ''].join('\r\n'))
}

async function statusOfRequest(name: PortName, request: string): Promise<readonly number[]> {
  return (await sendRaw(`http://127.0.0.1:${ports[name]}`, request)).statuses
}

it('every port is listed as HTTP or as another protocol', () => {
  expect([...rows.map(({ name }) => name), ...OTHERS].sort()).toEqual([...PORT_NAMES].sort())
})

it("nothing listens on the port of the gateway's web sockets, because no function has one", async () => {
  expect(await canConnect(ports.websocket)).toBe(false)
})

describe.each(rows)('E02 the port $name', ({ name, line, status }) => {
  it.each(['127.0.0.1:1', 'sqs.eu-central-1.localhost', '[::1]:1', `${TUNNEL}:8443`])('answers to %s', async (host) => {
    // SQS's emulator takes some hosts for the name of a bucket.
    const expected = name === 'sqs' ? expect.not.arrayContaining([421]) : [status]
    expect(await statusOf(name, line, `Host: ${host}`)).toEqual(expected)
  })

  it.each([
    'evil.example',
    'localhost.evil.example',
    `x.${TUNNEL}`,
    `${TUNNEL}.`,
    'localhost@evil.example',
    'localhost:80:80',
    '2130706433',
    '[::1',
    '',
  ])('refuses the host "%s": 421', async (host) => {
    expect(await statusOf(name, line, `Host: ${host}`)).toEqual([421])
  })

  it('refuses a request with two hosts', async () => {
    expect([[400], [421]]).toContainEqual(await statusOf(name, line, 'Host: 127.0.0.1', 'Host: evil.example'))
  })

  it('reads no host from the request line', async () => {
    const target = line.replace(' /', ' http://127.0.0.1/')
    expect(await statusOf(name, target, 'Host: evil.example')).toEqual([421])
  })
})

describe.each(['lambda', 'dynamodb', 'sqs'] as const)('E01 the port %s refuses browsers', (name) => {
  const { line = '', status } = SERVED[name] ?? {}

  it.each([
    'Origin: null',
    'Origin:',
    'Origin: http://127.0.0.1',
    'Sec-Fetch-Site: same-origin',
    'Sec-Fetch-Site: none',
  ])('%s: 403', async (header) => {
    expect(await statusOf(name, line, 'Host: 127.0.0.1', header)).toEqual([403])
  })

  it('a request with only the mode of an HTTP client is accepted', async () => {
    expect(await statusOf(name, line, 'Host: 127.0.0.1', 'Sec-Fetch-Mode: cors')).toEqual([status])
  })
})

describe.each(['google', 'github', 'facebook'] as const)('E01 the login provider %s', (name) => {
  const { line = '', status } = SERVED[name] ?? {}

  it.each([
    [403, 'Origin: https://evil.example'],
    [403, `Origin: http://${TUNNEL}`],
    [status, 'Origin: http://127.0.0.1'],
    [status, 'Sec-Fetch-Site: cross-site'],
  ])('answers %i to a request with %s', async (expected, header) => {
    expect(await statusOf(name, line, 'Host: 127.0.0.1', header)).toEqual([expected])
  })
})

describe('E01 a webhook from a browser', () => {
  const payment = JSON.stringify({ eventId: 'e', transactionId: 't', orderId: 'o', status: 'FAILED', currency: 'EUR' })

  function post(path: string, header: string): Promise<readonly number[]> {
    const lines = [`POST ${path} HTTP/1.1`, 'Host: 127.0.0.1', `Content-Length: ${payment.length}`, header]
    return statusOfRequest(
      'http',
      [...lines, 'Content-Type: text/plain', 'Connection: close', '', payment].join('\r\n'),
    )
  }

  it.each([
    [403, 'Origin: null'],
    [403, 'Sec-Fetch-Site: same-site'],
    [200, 'Origin: https://partner.example'],
    [200, `Origin: http://${TUNNEL}`],
    [200, 'User-Agent: a provider'],
  ])('is answered with %i if it has %s', async (expected, header) => {
    expect(await post('/webhooks/payment', header)).toEqual([expected])
  })

  it.each(['/%77ebhooks/payment', '/webhooks%2fpayment', '/webhooks/payment?x'])(
    'is refused as well as %s',
    async (path) => {
      expect(await post(path, 'Origin: https://evil.example')).toEqual([403])
    },
  )
})

it('E03 the tables are behind the proxy: on a port that browsers block, at another address', async () => {
  const { command = '' } = stack.parts().find((part) => part.command.includes('dynoxide serve')) ?? {}
  const [, host = '', port = ''] = / --host (\S+) --port (\d+)/.exec(command) ?? []
  expect(host).toMatch(/^127\./)
  expect(host).not.toBe('127.0.0.1')
  // Node's fetch blocks the ports that browsers block.
  await expect(fetch(`http://${host}:${port}/`)).rejects.toMatchObject({ cause: { message: 'bad port' } })
  expect(await canConnect(Number(port))).toBe(false)
})

it('E03 the proxy ends the connection of a client that disconnects, and continues', async () => {
  const socket = connect(ports.dynamodb, '127.0.0.1')
  socket.write('POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\nbegun')
  socket.once('connect', () => socket.destroy())
  expect(await statusOf('dynamodb', 'GET / HTTP/1.1', 'Host: 127.0.0.1')).toEqual([200])
})
