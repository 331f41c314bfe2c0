import { once } from 'node:events'
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, LookupFunction, Server, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, it } from 'vitest'
import { httpCarrier } from '../../../../lib/adapters/http/carrier.ts'
import type { Surroundings } from '../../../../lib/adapters/http/post.ts'
import type { DeliverySecrets } from '../../../../lib/deliver/http-headers.ts'
import { unavailable } from '../../../../lib/errors.ts'
import { selfSigned } from '../../../support/certificate.ts'
import { A_TRACEPARENT, deliveredEvent } from '../../../support/delivered-event.ts'
import { fixedClock, START } from '../../../support/fakes/clock.ts'

const DAY = 86_400_000
const VALUE = Buffer.alloc(32, 'a').toString('base64')
const SECRETS: DeliverySecrets = new Map([['crm', [{ value: `whsec_${VALUE}` }]]])

interface Received {
  readonly line: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  readonly socket: Socket
}

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

async function listening<S extends Server & { closeAllConnections(): void }>(server: S): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stops.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

type Answering = (response: ServerResponse, request: Received) => void

/** A destination that does so with every request. */
async function destination(answer: Answering) {
  const received: Received[] = []
  const server = createPlainServer(async (request, response) => {
    const { method, url, headers, socket } = request
    const one = { line: `${method} ${url}`, headers, socket, body: await buffer(request) }
    received.push(one)
    answer(response, one)
  })
  return { received, server, url: `http://127.0.0.1:${await listening(server)}/hooks?a=b` }
}

interface Setting {
  readonly timeout?: number
  readonly isLocal?: boolean
  readonly isPrivate?: boolean
  readonly secrets?: () => Promise<DeliverySecrets>
  readonly surroundings?: Surroundings
}

function carrierTo(url: string, setting: Setting = {}) {
  const { timeout = 20_000, isLocal = true, isPrivate = false, secrets = async () => SECRETS, surroundings } = setting
  const target = { to: 'http' as const, url, isPrivate, headers: new Map() }
  const carrier = httpCarrier(
    { route: { name: 'crm', timeout, target, isLocal }, secrets, clock: fixedClock() },
    surroundings,
  )
  return {
    carry: (event = deliveredEvent(), others: object = {}) =>
      carrier.carry({ event, attempt: 1, traceparent: A_TRACEPARENT, at: START, ...others }),
  }
}

const status =
  (code: number, headers: Record<string, string> = {}): Answering =>
  (response) =>
    void response.writeHead(code, headers).end('what the destination says')

describe('an event is delivered', () => {
  it('with the received bytes, in one POST that its receiver can verify', async () => {
    const { received, url } = await destination(status(204))
    const payload = Buffer.from('{"id":"é"}')
    const answer = await carrierTo(url).carry(deliveredEvent({ payload }), {
      attempt: 2,
      replayId: 'r-1',
      at: new Date(),
    })
    expect(answer).toMatchObject({ kind: 'delivered', answer: 'HTTP 204' })
    const [{ line, headers, body } = { line: '', headers: {}, body: Buffer.alloc(0) }] = received
    expect([received.length, line, body]).toEqual([1, 'POST /hooks?a=b', payload])
    expect(headers).toMatchObject({ 'gatehouse-attempt': '2', 'gatehouse-replay': 'r-1', 'content-length': '11' })
    expect(headers).not.toHaveProperty('transfer-encoding')
    expect(new Webhook(VALUE).verify(body, headers as Record<string, string>)).toEqual({ id: 'é' })
  })

  it.each([200, 299])('if the answer is %i', async (code) => {
    const { url } = await destination(status(code))
    expect(await carrierTo(url).carry()).toMatchObject({ kind: 'delivered', answer: `HTTP ${code}` })
  })

  it('if its body is empty, or 4 MiB of any bytes', async () => {
    const { received, url } = await destination(status(200))
    const whole = Buffer.alloc(4_194_304, 0xff)
    for (const payload of [Buffer.alloc(0), whole]) {
      expect(await carrierTo(url).carry(deliveredEvent({ payload }))).toMatchObject({ kind: 'delivered' })
    }
    expect(received.map(({ body }) => body.length)).toEqual([0, whole.length])
  })

  it('after the status of the answer, however long the rest takes', async () => {
    const { url } = await destination((response) => void response.writeHead(200).write('a'))
    expect(await carrierTo(url, { timeout: 1000 }).carry()).toMatchObject({ kind: 'delivered', answer: 'HTTP 200' })
  })

  it('even if the connection breaks after the status', async () => {
    const { url } = await destination((response) => {
      response.writeHead(200, { 'content-length': 100 }).write('a', () => response.destroy())
    })
    expect(await carrierTo(url).carry()).toMatchObject({ kind: 'delivered', answer: 'HTTP 200' })
  })
})

describe('of an answer is kept', () => {
  it.each<[string, Answering, object]>([
    [
      '1 KiB of 10 MB',
      (response) => void response.writeHead(500).end(Buffer.alloc(10_000_000, 'a')),
      { body: { text: 'a'.repeat(1024), isWhole: false } },
    ],
    [
      'what came before it stopped',
      (response) => void response.writeHead(500, { 'content-length': 9 }).write('<h1>é'),
      { status: 500, body: { text: '<h1>é', isWhole: false } },
    ],
    [
      'what came before the connection broke',
      (response) => void response.writeHead(404, { 'content-length': 9 }).write('half', () => response.destroy()),
      { status: 404, body: { text: 'half', isWhole: false } },
    ],
    [
      'no value of its cookies',
      (response) => void response.setHeader('set-cookie', ['a=s3cret', 'b=s3cret']).writeHead(500).end('x'),
      { headers: { 'set-cookie': '…' }, body: { text: 'x', isWhole: true } },
    ],
    [
      'nothing of what it knows from us',
      (response, { headers }) =>
        void response
          .writeHead(500, { 'x-echo': `${headers['webhook-signature']}` })
          .end(`${JSON.stringify(headers)} ${VALUE}`),
      { headers: { 'x-echo': '…' }, body: { text: expect.stringMatching(/"webhook-signature":"…".* …$/) } },
    ],
  ])('%s', async (_, answer, kept) => {
    const { url } = await destination(answer)
    const carried = await carrierTo(url, { timeout: 500 }).carry()
    expect(carried.received).toMatchObject(kept)
    expect(JSON.stringify(carried)).not.toMatch(/s3cret|v1,/)
  })

  it('at most 20 of 2,000 headers', async () => {
    const headers = Object.fromEntries(Array.from({ length: 1900 }, (_, index) => [`${index}`, '']))
    const { url } = await destination(status(500, headers))
    const { received } = await carrierTo(url).carry()
    expect(Object.keys(received?.headers ?? {})).toHaveLength(20)
  })
})

describe('an event is not delivered', () => {
  it.each([300, 404, 500])('if the answer is %i', async (code) => {
    const { url } = await destination(status(code))
    expect(await carrierTo(url).carry()).toMatchObject({ kind: 'failed', answer: `HTTP ${code}` })
  })

  it.each([302, 307])('D03 if it is redirected by %i, which is not followed', async (code) => {
    const elsewhere = await destination(status(200))
    for (const location of [elsewhere.url, 'http://169.254.169.254/latest/meta-data/']) {
      const { url, received } = await destination(status(code, { location }))
      expect(await carrierTo(url).carry()).toMatchObject({ kind: 'failed', answer: `HTTP ${code}` })
      expect(received).toHaveLength(1)
    }
    expect(elsewhere.received).toEqual([])
  })

  it('to a destination that answers 410', async () => {
    const { url } = await destination(status(410))
    expect(await carrierTo(url).carry()).toMatchObject({ kind: 'failed', answer: 'HTTP 410', isGone: true })
  })

  it.each<[number, string | undefined, object]>([
    [429, '2', { retryAfter: 2000, isBusy: true }],
    [429, undefined, { isBusy: true }],
    [500, '3', { retryAfter: 3000 }],
  ])('yet: %i with Retry-After %s', async (code, given, expected) => {
    const { url } = await destination(status(code, given === undefined ? {} : { 'retry-after': given }))
    expect(await carrierTo(url).carry()).toMatchObject({ kind: 'failed', answer: `HTTP ${code}`, ...expected })
  })

  it.each<[string, Answering]>([
    ['never answers', () => {}],
    ['sends its headers byte by byte', (response) => drip(response)],
  ])('D04 in time, if its destination %s', async (_, answer) => {
    const { url, received } = await destination(answer)
    const carried = carrierTo(url, { timeout: 200 }).carry()
    expect(await carried).toMatchObject({ kind: 'failed', answer: 'timed out' })
    expect(received).toHaveLength(1)
  })

  it('in time, if its name cannot be resolved', async () => {
    const resolve: LookupFunction = () => {}
    const carried = carrierTo('http://hooks.example/', { timeout: 50, surroundings: { resolve } }).carry()
    expect(await carried).toMatchObject({ kind: 'failed', answer: 'timed out' })
  })

  it('if nothing listens', async () => {
    const { url, server } = await destination(status(200))
    server.close()
    await once(server, 'close')
    expect(await carrierTo(url).carry()).toMatchObject({ kind: 'failed', answer: 'connection refused' })
  })

  it.each<[string, Answering, string]>([
    ['closes the connection', (_, { socket }) => void socket.destroy(), 'connection reset'],
    [
      'sends a header without an end',
      (_, { socket }) => void socket.write(`HTTP/1.1 200 OK\r\na: ${'b'.repeat(100_000)}`),
      'connection failed: HPE_HEADER_OVERFLOW',
    ],
  ])('to a destination that %s, after one try', async (_, answer, expected) => {
    const { url, received } = await destination(answer)
    expect(await carrierTo(url).carry()).toMatchObject({ kind: 'failed', answer: expected })
    expect(received).toHaveLength(1)
  })

  it('to a name that does not exist', async () => {
    const error = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })
    const resolve: LookupFunction = (_host, _options, done) => setImmediate(() => done(error, []))
    const carried = carrierTo('http://hooks.example/', { surroundings: { resolve } }).carry()
    expect(await carried).toMatchObject({ kind: 'failed', answer: 'name not found' })
  })

  it.each<[string, Setting, string]>([
    ['https://127.0.0.1/', { isLocal: false }, 'address is not public; with network it may be in a private one'],
    [
      'https://169.254.169.254/',
      { isLocal: true, isPrivate: true },
      'address is neither public nor one of a private network',
    ],
  ])('to a blocked address: %s', async (url, setting, answer) => {
    expect(await carrierTo(url, setting).carry()).toMatchObject({ kind: 'failed', answer })
  })

  it('without a valid secret', async () => {
    const { url, received } = await destination(status(200))
    const carried = await carrierTo(url, { secrets: async () => new Map() }).carry()
    expect([carried, received]).toEqual([{ kind: 'failed', answer: 'no signing secret is good now' }, []])
  })

  it('while secrets cannot be read, which does not count as a failure of the destination', async () => {
    const { url, received } = await destination(status(200))
    const secrets = async () => {
      throw unavailable(new Error('Secrets Manager is down'))
    }
    await expect(carrierTo(url, { secrets }).carry()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(received).toEqual([])
  })
})

describe('an answer', () => {
  it('D05 without an end is aborted after its first kilobyte', async () => {
    let sent = 0
    const closed = Promise.withResolvers<void>()
    const { url } = await destination((response, { socket }) => {
      response.writeHead(200)
      const more = () => {
        while (!socket.destroyed && response.write(Buffer.alloc(16_384, 'a'))) sent++
      }
      response.on('drain', more)
      socket.once('close', () => closed.resolve())
      more()
    })
    expect(await carrierTo(url).carry()).toMatchObject({ kind: 'delivered', answer: 'HTTP 200' })
    await closed.promise
    expect(sent).toBeLessThan(1000)
  })

  it.each([
    [1024, 1],
    [1025, 2],
  ])('of %i bytes leaves a connection for two deliveries, or one for each: %i', async (size, connections) => {
    const { url, received } = await destination((response) => void response.end(Buffer.alloc(size, 'a')))
    const carrier = carrierTo(url)
    for (let count = 0; count < 2; count++) await carrier.carry()
    expect(new Set(received.map(({ socket }) => socket)).size).toBe(connections)
  })
})

describe('a kept connection', () => {
  it('that is dead when it is reused costs no try', async () => {
    const { url, received } = await destination((response, { socket }) => {
      const isSecond = received.filter((one) => one.socket === socket).length === 2
      if (isSecond) socket.resetAndDestroy()
      else response.end()
    })
    const carrier = carrierTo(url)
    expect(await carrier.carry()).toMatchObject({ kind: 'delivered' })
    expect(await carrier.carry()).toMatchObject({ kind: 'delivered' })
    expect(received).toHaveLength(3)
    const [first, second, third] = received.map(({ socket }) => socket)
    expect([first === second, second === third]).toEqual([true, false])
  })

  it('is replaced once: a reset of the new one is a failure', async () => {
    const { url, received } = await destination((response, { socket }) => {
      if (received.length === 1) response.end()
      else socket.resetAndDestroy()
    })
    const carrier = carrierTo(url)
    await carrier.carry()
    expect(await carrier.carry()).toMatchObject({ kind: 'failed', answer: 'connection reset' })
    expect(received).toHaveLength(3)
  })

  it('and its replacement share one time limit', async () => {
    const { url, received } = await destination((response, { socket }) => {
      if (received.length === 1) response.end()
      else if (received.length === 2) socket.resetAndDestroy()
    })
    const carrier = carrierTo(url, { timeout: 300 })
    await carrier.carry()
    expect(await carrier.carry()).toMatchObject({ kind: 'failed', answer: 'timed out' })
    expect(received).toHaveLength(3)
  })
})

describe('D06 the certificate of a destination', () => {
  const good = selfSigned('127.0.0.1', new Date(Date.now() - DAY), new Date(Date.now() + DAY))
  const expired = selfSigned('127.0.0.1', new Date(Date.now() - 2 * DAY), new Date(Date.now() - DAY))

  /** @param host the name in the URL, which resolves to the destination */
  async function answerTo({ certificate, privateKey }: typeof good, ca?: string, host = '127.0.0.1') {
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' })
    let count = 0
    const server = createServer({ cert: certificate, key }, (_, response) => {
      count++
      response.end()
    })
    const resolve: LookupFunction = (_host, _options, done) =>
      setImmediate(() => done(null, [{ address: '127.0.0.1', family: 4 }]))
    const url = `https://${host}:${await listening(server)}/`
    const answer = await carrierTo(url, { surroundings: { resolve, ...(ca && { ca }) } }).carry()
    return { answer, count }
  }

  it('must match its name and come from a trusted authority', async () => {
    expect(await answerTo(good, good.certificate)).toEqual({
      answer: expect.objectContaining({ kind: 'delivered', answer: 'HTTP 200' }),
      count: 1,
    })
  })

  it.each<[string, typeof good, string | undefined, string, string]>([
    ['nobody knows', good, undefined, '127.0.0.1', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['has expired', expired, expired.certificate, '127.0.0.1', 'CERT_HAS_EXPIRED'],
    ['belongs to another name', good, good.certificate, 'hooks.example', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('is invalid if it %s: nothing is sent', async (_, certificate, ca, host, code) => {
    const answer = { kind: 'failed', answer: `certificate is not valid: ${code}` }
    expect(await answerTo(certificate, ca, host)).toEqual({ answer, count: 0 })
  })
})

/** Sends one byte of a header after another, for as long as there is a connection. */
function drip({ socket }: ServerResponse): void {
  socket?.write('HTTP/1.1 200 OK\r\na: ')
  const timer = setInterval(() => socket?.write('b'), 20)
  socket?.once('close', () => clearInterval(timer)).on('error', () => {})
}
