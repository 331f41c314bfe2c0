import { once } from 'node:events'
import { type AddressInfo, createServer, type LookupFunction, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ClosedAddress, demandReachable, isReachable, type NetworkReach } from '../../../../lib/adapters/http/guard.ts'
import { guardedPost } from '../../../../lib/adapters/http/post.ts'
import { HOSTILE_LITERALS, HOSTILE_NAMES, HOSTILE_URLS } from '../../../support/hostile-addresses.ts'

const PUBLIC: NetworkReach = { isPrivate: false, isLocal: false }
const POST = { headers: {}, body: Buffer.from('secret'), signal: AbortSignal.timeout(5000) }

let server: Server
let port: number
let connections = 0

beforeAll(async () => {
  server = createServer((socket) => {
    connections++
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})

afterAll(() => server.close())

/** A resolver that answers later, as the system's does, with one list after another. */
function resolving(lists: readonly (readonly string[])[]) {
  const asked: string[] = []
  const resolve: LookupFunction = (host, _options, done) => {
    const found = lists[Math.min(asked.push(host), lists.length) - 1] ?? []
    const addresses = found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    setImmediate(() => done(null, addresses))
  }
  return { asked, resolve }
}

/** The same URL with the port of the listener, unless the port is the point. */
function atListener(text: string): URL {
  const url = new URL(text)
  if (url.port === '') url.port = `${port}`
  return url
}

describe('D01 no connection is opened to an address that is not public', () => {
  it.each(HOSTILE_LITERALS)('in the URL: %s', async (_, text) => {
    const { asked, resolve } = resolving([['127.0.0.1']])
    await expect(guardedPost(atListener(text), PUBLIC, { resolve })(POST)).rejects.toMatchObject({
      name: 'ClosedAddress',
    })
    expect([asked, connections]).toEqual([[], 0])
  })

  it.each(HOSTILE_URLS)('in a URL with something else in it: %s', async (_, text) => {
    const { asked, resolve } = resolving([['127.0.0.1']])
    await expect(guardedPost(new URL(text), PUBLIC, { resolve })(POST)).rejects.toMatchObject({ name: 'ClosedAddress' })
    expect([asked, connections]).toEqual([[], 0])
  })

  it.each(HOSTILE_NAMES)('behind a name: %s', async (_, found) => {
    const { asked, resolve } = resolving([found])
    const post = guardedPost(new URL(`https://hooks.example:${port}/`), PUBLIC, { resolve })
    await expect(post(POST)).rejects.toMatchObject({ name: 'ClosedAddress' })
    expect([asked, connections]).toEqual([['hooks.example'], 0])
  })

  it('behind localhost, which the operating system resolves', async () => {
    for (const name of ['localhost', 'LOCALHOST']) {
      const post = guardedPost(new URL(`https://${name}:${port}/`), PUBLIC)
      await expect(post(POST)).rejects.toMatchObject({ name: 'ClosedAddress' })
    }
    expect(connections).toBe(0)
  })

  it('D02 behind a name whose answer has changed: it is resolved once for each connection', async () => {
    const { asked, resolve } = resolving([['192.0.2.1'], ['127.0.0.1']])
    const reach = { isPrivate: false, isLocal: true }
    const post = guardedPost(new URL(`http://hooks.example:${port}/`), reach, { resolve })
    await expect(post(POST)).rejects.toMatchObject({ name: 'ClosedAddress' })
    await expect(post(POST)).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect([asked.length, connections]).toEqual([2, 1])
    connections = 0
  })
})

const reachable = (addresses: readonly string[], reach: NetworkReach) =>
  addresses.filter((address) => isReachable(address, reach))

const OPEN = ['8.8.8.8', '172.15.255.255', '172.32.0.0', '100.63.255.255', '100.128.0.0', '2606:4700::1']
const OF_NETWORKS = ['10.0.0.1', '10.255.255.255', '172.16.0.1', '192.168.0.1', '100.64.0.1', 'fd12:3456::1', 'fc00::1']
const NEVER = [
  ...['127.0.0.1', '127.1.2.3', '::1', '0.0.0.0', '::', '169.254.169.254', '169.254.170.2', 'fe80::1'],
  ...['fd20:ce::254', 'fd00:42::42', '168.63.129.16'],
  ...['fd00:ec2::254', 'fd00:ec2::23', '100.100.100.200', '224.0.0.1', 'ff02::1', '192.0.0.192'],
  ...['::ffff:127.0.0.1', '64:ff9b::a00:1', '2002:a00:1::', '192.0.2.1', 'fe80::1%lo', '', 'localhost'],
]
const ALL = [...OPEN, ...OF_NETWORKS, ...NEVER]

describe('a connection is allowed to an address', () => {
  it('if it is public', () => {
    expect(reachable(ALL, PUBLIC)).toEqual(OPEN)
  })

  it('if it is in a private network, where that is allowed; never if it is a loopback, link-local or metadata address', () => {
    expect(reachable(ALL, { isPrivate: true, isLocal: false })).toEqual([...OPEN, ...OF_NETWORKS])
  })

  it('if it is on this machine, only on the local stage', () => {
    expect(reachable(ALL, { isPrivate: false, isLocal: true })).toEqual([
      ...OPEN,
      '127.0.0.1',
      '::1',
      '::ffff:127.0.0.1',
    ])
  })

  it.each([
    'https://hooks.example/',
    'https://hooks.example:80/',
    'https://hooks.example:1024/',
    'https://hooks.example:65535/a?b#c',
  ])('%s', (url) => {
    expect(() => demandReachable(new URL(url), PUBLIC)).not.toThrow()
  })

  it.each([
    ['https://10.0.0.1/', PUBLIC, 'address is not public; with network it may be in a private one'],
    ['https://127.0.0.1/', { ...PUBLIC, isPrivate: true }, 'address is neither public nor one of a private network'],
    ['http://hooks.example/', PUBLIC, 'address is not https'],
    ['https://user@hooks.example/', PUBLIC, 'address names a user'],
    ['https://hooks.example:22/', PUBLIC, 'port 22 is neither 80, 443 nor 1024 to 65535'],
  ])('if not, the error names the reason: %s', (url, reach, message) => {
    expect(() => demandReachable(new URL(url), reach)).toThrow(new ClosedAddress(message))
  })
})
