import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import type { TLSSocket } from 'node:tls'
import Provider from 'oidc-provider'
import { afterEach, describe, expect, it } from 'vitest'
import { httpCarrier } from '../../../../lib/adapters/http/carrier.ts'
import { secret } from '../../../../lib/config.ts'
import type { StageAuth } from '../../../../lib/deliver/destination.ts'
import type { DeliverySecrets } from '../../../../lib/deliver/http-headers.ts'
import { type SelfSigned, selfSigned } from '../../../support/certificate.ts'
import { A_TRACEPARENT, deliveredEvent } from '../../../support/delivered-event.ts'
import { fixedClock, START } from '../../../support/fakes/clock.ts'

const DAY = 86_400_000
/** With what has to be encoded before it is one of the two halves of HTTP Basic. */
const CLIENT = { id: 'crm client', secret: 'a:b c%+é'.replace('é', '/') }
const SIGNING = { value: `whsec_${Buffer.alloc(32, 'a').toString('base64')}` }

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

type Answering = (request: IncomingMessage, response: ServerResponse) => void

const serving = async (answer: Answering) => `http://127.0.0.1:${await listening(createServer(answer))}/`

/** A destination that takes what the judge takes, and answers anything else with 401 and what it was sent. */
async function destination(isGood: (authorization: string) => boolean | Promise<boolean>) {
  const sent: string[] = []
  const url = await serving(({ headers }, response) => {
    const { authorization = '' } = headers
    sent.push(authorization)
    const judged = Promise.resolve(isGood(authorization))
    void judged.then((good) => response.writeHead(good ? 204 : 401).end(JSON.stringify(headers)))
  })
  return { url, sent }
}

interface Setting {
  readonly secrets?: Readonly<Record<string, DeliverySecrets extends ReadonlyMap<string, infer S> ? S : never>>
  readonly timeout?: number
  readonly ca?: string
}

function carrierTo(url: string, auth: StageAuth, { secrets = {}, timeout = 20_000, ca }: Setting = {}) {
  const known = { crm: [SIGNING], key: [{ value: CLIENT.secret }], ...secrets }
  const clock = fixedClock()
  const target = { to: 'http' as const, url, isPrivate: false, headers: new Map(), auth }
  const route = { name: 'crm', timeout, target, isLocal: true }
  const parts = { route, secrets: async () => new Map(Object.entries(known)), clock }
  const carrier = httpCarrier(parts, ca === undefined ? {} : { ca })
  const parcel = { event: deliveredEvent(), attempt: 1, traceparent: A_TRACEPARENT, at: START }
  return { clock, carry: () => carrier.carry(parcel) }
}

const oauth2 = (tokenUrl: string): StageAuth => ({
  oauth2: { tokenUrl, clientId: CLIENT.id, secret: secret('key'), scope: 'events:write' },
})

/** A token endpoint that answers so, with a new token each time. */
async function tokens(members: object = {}) {
  let count = 0
  const url = await serving((_, response) => {
    count++
    response.end(JSON.stringify({ access_token: `t${count}`, token_type: 'Bearer', ...members }))
  })
  return { url, asked: () => count }
}

describe('OAuth 2 client credentials', () => {
  it('are accepted by oidc-provider, whose token the destination gets', async () => {
    const provider = new Provider('http://127.0.0.1', {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          grant_types: ['client_credentials'],
          redirect_uris: [],
          response_types: [],
          scope: 'events:write',
        },
      ],
      scopes: ['events:write'],
      features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
    })
    const tokenUrl = await serving(provider.callback())
    const { url } = await destination(async (given) => {
      const token = await provider.ClientCredentials.find(given.replace(/^Bearer /, ''))
      return token?.scope === 'events:write'
    })
    expect(await carrierTo(url, oauth2(`${tokenUrl}token`)).carry()).toMatchObject({ answer: 'HTTP 204' })
    const other = { secrets: { key: [{ value: 'another' }] } }
    expect(await carrierTo(url, oauth2(`${tokenUrl}token`), other).carry()).toMatchObject({
      kind: 'failed',
      answer: 'token endpoint: 401',
    })
  })

  it('give one token to all deliveries of a process, until a minute before its end', async () => {
    const { url: tokenUrl, asked } = await tokens({ expires_in: 3600 })
    const { url, sent } = await destination(() => true)
    const { clock, carry } = carrierTo(url, oauth2(tokenUrl))
    await Promise.all([carry(), carry(), carry()])
    clock.advance(3_539_999)
    await carry()
    expect([asked(), new Set(sent)]).toEqual([1, new Set(['Bearer t1'])])
    clock.advance(1)
    await carry()
    expect([asked(), sent.at(-1)]).toEqual([2, 'Bearer t2'])
  })

  it.each<[unknown, number]>([
    [undefined, 240],
    ['soon', 240],
    [-1, 240],
    [null, 240],
    [0, 0],
    ['600', 540],
    [1e12, 86_340],
  ])('whose expires_in is %j are used for %i seconds', async (expires_in, seconds) => {
    const { url: tokenUrl, asked } = await tokens({ expires_in })
    const { url } = await destination(() => true)
    const { clock, carry } = carrierTo(url, oauth2(tokenUrl))
    await carry()
    if (seconds > 0) {
      clock.advance(seconds * 1000 - 1)
      await carry()
      expect(asked()).toBe(1)
      clock.advance(1)
    }
    await carry()
    expect(asked()).toBe(2)
  })

  it('are renewed once after a 401, and no answer shows them', async () => {
    const { url: tokenUrl, asked } = await tokens({ expires_in: 3600 })
    const first = await destination((given) => given !== 'Bearer t1')
    expect(await carrierTo(first.url, oauth2(tokenUrl)).carry()).toMatchObject({ answer: 'HTTP 204' })
    expect(first.sent).toEqual(['Bearer t1', 'Bearer t2'])
    const second = await destination(() => false)
    const refused = await carrierTo(second.url, oauth2(tokenUrl)).carry()
    expect([refused.answer, asked(), second.sent]).toEqual(['HTTP 401', 4, ['Bearer t3', 'Bearer t4']])
    expect(JSON.stringify(refused)).not.toMatch(/t[34]\b/)
  })

  it.each<[string, Answering, string]>([
    ['hangs', () => {}, 'timed out'],
    ['is busy', (_, response) => void response.writeHead(503).end(), '503'],
    ['redirects', (_, response) => void response.writeHead(307, { location: '/x' }).end(), '307'],
    ['answers HTML', (_, response) => void response.end('<h1>Welcome'), 'its answer has no bearer token'],
    ['sends megabytes', (_, response) => void response.end(`"${'a'.repeat(9e6)}"`), 'its answer has no bearer token'],
    [
      'gives a token for proof of possession',
      (_, response) => void response.end('{"access_token":"a","token_type":"DPoP"}'),
      'its answer has no bearer token',
    ],
    [
      'writes a header into its token',
      (_, response) => void response.end('{"access_token":"a\\r\\nx: y","token_type":"bearer"}'),
      'its answer has no bearer token',
    ],
    ['closes the connection', ({ socket }) => void socket.destroy(), 'connection reset'],
  ])('from a token endpoint that %s are a failed attempt, and nothing is sent', async (_, answer, why) => {
    const { url, sent } = await destination(() => true)
    const { carry } = carrierTo(url, oauth2(await serving(answer)), why === 'timed out' ? { timeout: 300 } : {})
    expect(await carry()).toEqual({ kind: 'failed', answer: `token endpoint: ${why}` })
    expect(sent).toEqual([])
  })

  it('are not asked for at an address that is out of reach', async () => {
    const { url } = await destination(() => true)
    expect(await carrierTo(url, oauth2('https://169.254.169.254/token')).carry()).toEqual({
      kind: 'failed',
      answer: 'token endpoint: address is not public; with network it may be in a private one',
    })
  })
})

describe('HTTP Basic', () => {
  const auth = { basic: { username: 'gatehouse', password: secret('key') } }

  it('sends the name and the password (RFC 7617), and no answer shows them', async () => {
    const { url, sent } = await destination(() => false)
    const answer = await carrierTo(url, auth, { secrets: { key: [{ value: 'open sesame' }] } }).carry()
    // printf gatehouse:'open sesame' | base64
    expect(sent).toEqual(['Basic Z2F0ZWhvdXNlOm9wZW4gc2VzYW1l'])
    expect(answer.answer).toBe('HTTP 401')
    expect(JSON.stringify(answer)).not.toMatch(/Z2F0|sesame/)
  })

  it('sends nothing when its secret is over', async () => {
    const { url, sent } = await destination(() => true)
    const over = { secrets: { key: [{ value: 'a', notAfter: new Date(START.getTime() - 1) }] } }
    expect(await carrierTo(url, auth, over).carry()).toEqual({
      kind: 'failed',
      answer: 'no secret for auth is good now',
    })
    expect(sent).toEqual([])
  })
})

describe('mutual TLS', () => {
  const valid = (name: string, end = START.getTime() + DAY) =>
    selfSigned(name, new Date(Date.now() - DAY), new Date(end))
  const server = selfSigned('127.0.0.1', new Date(Date.now() - DAY), new Date(Date.now() + DAY))
  const ours = valid('gatehouse', Date.now() + 400 * DAY)
  const ended = valid('ended', START.getTime() - 1)
  const pem = ({ privateKey, certificate }: SelfSigned) => ({
    value: `${privateKey.export({ type: 'pkcs8', format: 'pem' })}${certificate}`,
  })

  /** A server that takes our certificate alone. */
  async function strict() {
    const names: string[] = []
    const key = server.privateKey.export({ type: 'pkcs8', format: 'pem' })
    const options = { key, cert: server.certificate, ca: ours.certificate, requestCert: true }
    const listener = createSecureServer(options, ({ socket }, response) => {
      names.push(`${(socket as TLSSocket).getPeerCertificate().subject.CN}`)
      response.end()
    })
    return { names, url: `https://127.0.0.1:${await listening(listener)}/` }
  }

  it.each<[string, readonly { readonly value: string }[], string, readonly string[]]>([
    ['its certificate', [pem(ours)], 'HTTP 200', ['gatehouse']],
    ['the one of two that has not ended', [pem(ended), pem(ours)], 'HTTP 200', ['gatehouse']],
    ['none that has ended', [pem(ended)], 'the client certificate ended at 2026-01-02T03:04:04.000Z', []],
    ['one that the server refuses', [pem(valid('stranger', Date.now() + 400 * DAY))], 'connection reset', []],
  ])('shows %s', async (_, cert, answer, expected) => {
    const { names, url } = await strict()
    const { carry } = carrierTo(url, { mtls: secret('cert') }, { secrets: { cert }, ca: server.certificate })
    expect([(await carry()).answer, names]).toEqual([answer, expected])
  })
})
