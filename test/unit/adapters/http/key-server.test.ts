import { once } from 'node:events'
import { createServer as createPlainServer } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { httpsKeyServer } from '../../../../lib/adapters/http/key-server.ts'
import { selfSigned } from '../../../support/certificate.ts'

const DAY = 86_400_000
const { certificate, privateKey } = selfSigned('127.0.0.1', new Date(Date.now() - DAY), new Date(Date.now() + DAY))
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' })

let server: Server
let asked: string[] = []

beforeAll(async () => {
  server = createServer({ cert: certificate, key: PEM }, async (request, response) => {
    const pieces = await request.toArray()
    asked.push(`${request.method} ${request.url} ${Buffer.concat(pieces)}`)
    switch (request.url) {
      case '/hangs':
        return
      case '/drips':
        response.writeHead(200).write('a')
        return
      case '/65536':
      case '/65537':
        response.end(Buffer.alloc(Number(request.url.slice(1))))
        return
      case '/moved':
        response.writeHead(302, { location: '/key' }).end('elsewhere')
        return
      case '/broken':
        response.writeHead(200, { 'content-length': 100 }).write('a')
        response.destroy()
        return
      default:
        response.writeHead(request.url === '/missing' ? 404 : 200).end('a key')
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
})

afterEach(() => {
  asked = []
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const ask = (path: string, body?: string, ca = certificate) => {
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  return httpsKeyServer({ ca }).ask(body === undefined ? { url } : { url, body })
}

describe('a server of keys', () => {
  it('is called with GET, or with POST if there is a body', async () => {
    expect(await ask('/key')).toEqual({ status: 200, body: Buffer.from('a key') })
    expect(await ask('/key', '{"a":"é"}')).toMatchObject({ status: 200 })
    expect(asked).toEqual(['GET /key ', 'POST /key {"a":"é"}'])
  })

  it('may answer that it has no such key', async () => {
    expect(await ask('/missing')).toMatchObject({ status: 404 })
  })

  it('may send 64 KiB', async () => {
    expect((await ask('/65536')).body).toHaveLength(65_536)
  })

  it.each([
    ['sends a byte more', '/65537', /the key server sent too much/],
    ['breaks off', '/broken', /aborted|socket hang up/],
    ['redirects, which is not followed', '/moved', /the key server answered with a redirect/],
  ])('has failed if it %s', async (_, path, message) => {
    const answered = ask(path).then(({ body }) => body.length)
    await expect(answered).rejects.toThrow(message)
    expect(asked).toHaveLength(1)
  })

  it('has two seconds for the whole answer', async () => {
    const answers = await Promise.allSettled([ask('/hangs'), ask('/drips')])
    expect(answers).toMatchObject(Array(2).fill({ status: 'rejected', reason: { code: 'ABORT_ERR' } }))
  }, 4000)

  it('must prove its name', async () => {
    const { certificate: other } = selfSigned('127.0.0.1', new Date(Date.now() - DAY), new Date(Date.now() + DAY))
    await expect(ask('/key', undefined, other)).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
    expect(asked).toEqual([])
  })

  it('is called only over https', async () => {
    const plain = createPlainServer((_, response) => response.end('a key')).listen(0, '127.0.0.1')
    await once(plain, 'listening')
    const url = `http://127.0.0.1:${(plain.address() as AddressInfo).port}/key`
    await expect(async () => httpsKeyServer().ask({ url })).rejects.toMatchObject({ code: 'ERR_INVALID_PROTOCOL' })
    plain.close()
  })
})
