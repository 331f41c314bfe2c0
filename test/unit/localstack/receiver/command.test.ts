import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer as createPlainServer, type LookupFunction, type Server } from 'node:net'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { afterAll, describe, expect, it } from 'vitest'
import { run } from '../../../../localstack/commands/try-receiver.ts'
import { receiverWithin } from '../../../../localstack/receiver/receiver.ts'
import { selfSigned } from '../../../support/certificate.ts'
import { localEnvironment, temporaryFolder } from '../../../support/stack.ts'

const folder = temporaryFolder()
const running: Server[] = []
afterAll(() => {
  folder.remove()
  for (const server of running) server.close()
})

async function portOf(server: Server): Promise<number> {
  running.push(server.listen(0, '127.0.0.1').unref())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const call = (url: string) => ({ method: 'POST', url, headers: {}, body: Buffer.from('{}') })

describe('what a receiver did is its status, or why there is none', () => {
  const SECRET = 'a-secret-of-the-receiver'

  it.each<[string, RequestListener, string]>([
    ['a redirect', (_, to) => to.writeHead(307, { location: `http://127.0.0.1/?${SECRET}` }).end(), '307'],
    ['an error with a secret', (_, to) => to.writeHead(500, { 'x-secret': SECRET }).end(SECRET), '500'],
    ['a body without an end', (_, to) => void to.writeHead(200).write(SECRET), '200'],
    ['silence', () => {}, 'timed out'],
    ['the end of the connection', ({ socket }) => socket.destroy(), 'connection reset'],
    ['what is no HTTP', ({ socket }) => socket.end(SECRET), 'connection failed: HPE_INVALID_CONSTANT'],
  ])('for %s', async (_, answer, did) => {
    const port = await portOf(createServer(answer))
    expect(await receiverWithin(1).ask(call(`http://127.0.0.1:${port}/`))).toBe(did)
  })

  it('for a certificate that nobody vouches for, and for no TLS at all', async () => {
    const { certificate: cert, privateKey } = selfSigned('localhost', new Date('2026-01-01'), new Date('2049-01-01'))
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' })
    const [secure, plain] = [await portOf(createSecureServer({ key, cert })), await portOf(createPlainServer())]
    const ask = (port: number) => receiverWithin(5).ask(call(`https://127.0.0.1:${port}/`))
    expect(await ask(secure)).toBe('certificate is not valid: DEPTH_ZERO_SELF_SIGNED_CERT')
    running.at(-1)?.on('connection', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    expect(await ask(plain)).toMatch(/^connection failed: E/)
  })

  it('for a name of the metadata of a cloud, which is not connected to', async () => {
    const resolve: LookupFunction = (_host, _options, done) => {
      setImmediate(() => done(null, [{ address: '169.254.169.254', family: 4 }]))
    }
    const problem = 'address is neither public nor one of a private network'
    expect(await receiverWithin(5, resolve).ask(call('http://metadata.example:8080/'))).toBe(problem)
  })
})

function tryReceiver(...args: readonly string[]) {
  const all = ['localstack/gatehouse.mjs', 'try-receiver', ...args]
  const env = localEnvironment({ DATA_DIR: folder.path })
  return new Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>((resolve) => {
    execFile(execPath, all, { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
}

describe('npx gatehouse try-receiver', { timeout: 120_000 }, () => {
  it('exits with 1 for a fault, with 0 for an expected one, and writes JUnit', async () => {
    const { receiver } = createRequire(import.meta.url)('../../../../examples/receiver/receiver.mjs')
    const url = `http://127.0.0.1:${await portOf(receiver({ secrets: ['of both'], omit: 'get' }))}/`
    const [expected, junit] = [join(folder.path, 'expected.txt'), join(folder.path, 'junit.xml')]
    writeFileSync(expected, 'get # answers 200\n')
    const asked = ['--url', url, '--as', 'stripe', '--secret', 'of both', '--effects', `${url}effects`]
    const plain = await tryReceiver(...asked)
    expect(plain).toMatchObject({ code: 1, stderr: '' })
    expect(plain.stdout).toMatch(
      /^fail {6}get {15}Its answers: 200; effects: 0\. It should answer 4xx, .* \(RFC 9110, /m,
    )
    expect(plain.stdout).toMatch(/^left out {2}next-secret {7}It needs --next-secret\.$/m)
    const listed = await tryReceiver(...asked, '--expected-failures', expected, '--junit', junit, '--json')
    expect(listed).toMatchObject({ code: 0, stderr: '' })
    const lines = listed.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.find(({ name }) => name === 'get')).toMatchObject({ outcome: 'expected', why: expect.any(String) })
    expect(readFileSync(junit, 'utf8')).toContain('failures="0" errors="0" skipped="1"')
  })

  it.each<[readonly string[], string]>([
    [['--as', 'stripe'], '--url must be the address of the receiver'],
    [['--url', 'http://127.0.0.1:4000', '--as', 'strip'], 'There is no provider strip: did you mean stripe?'],
    [['--url', 'nowhere', '--as', 'stripe'], '--url must be an http or https address'],
    [['--url', 'http://169.254.169.254/', '--as', 'stripe'], '--url: address is neither public nor one of a private'],
    [['--url', 'http://[fd20:ce::254]/', '--as', 'stripe'], '--url: address is neither public nor one of a private'],
    [['--url', 'http://[::ffff:a9fe:a9fe]/', '--as', 'stripe'], '--url: address is neither public nor one of a'],
    [['--url', 'http://127.0.0.1:4000', '--as', 'stripe', '--timeout', '0'], '--timeout must be a whole number'],
    [['--url', 'http://127.0.0.1:4000', '--as', 'discord', '--secret', 'x'], 'The samples of discord are signed with'],
    [
      ['--url', 'http://127.0.0.1:9', '--as', 'stripe', '--secret', 'x', '--effects', 'http://127.0.0.1:9999'],
      '--url: port 9 is neither 80, 443 nor 1024 to 65535',
    ],
  ])('names what is wrong with %j', async (args, message) => {
    await expect(run(args)).rejects.toThrow(message)
  })

  it('exits with 2 when it tries nothing', async () => {
    const ended = await tryReceiver('--url', 'http://127.0.0.1:4000', '--as', 'stripe')
    const stderr = expect.stringMatching(/^No secret for stripe: .*\n$/)
    expect(ended).toEqual({ code: 2, stdout: '', stderr })
  })
})
