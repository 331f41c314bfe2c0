import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { firstIdAt } from '../../../../../lib/runtime/ids.ts'
import { watchCursorOf } from '../../../../../lib/webhooks/live/cursor.ts'
import { UsageError } from '../../../../../localstack/command.ts'
import { readListenCommand, signingSecret } from '../../../../../localstack/commands/listen/options.ts'
import { START } from '../../../../support/fakes/clock.ts'

const HERE = ['--forward-to', 'http://127.0.0.1:4000/hooks']

const read = (...args: readonly string[]) => readListenCommand(args, START)

describe('the options of a listener', () => {
  it('keep path and query of the address', () => {
    const { target } = read('--forward-to', 'http://localhost:4000/a%20b/?x=1&x=2')
    expect(target.url.href).toBe('http://localhost:4000/a%20b/?x=1&x=2')
  })

  it('accept several sources and types', () => {
    const more = ['--source', 'stripe', '--source', 'shopify', '--type', 'orders/**', '--type', 'payment_intent.*']
    expect(read(...HERE, ...more)).toMatchObject({
      sources: ['stripe', 'shopify'],
      types: ['orders/**', 'payment_intent.*'],
    })
  })

  it.each([
    ['http://localhost:4000'],
    ['http://[::1]:4000/x'],
    ['https://app.localhost:4000'],
    // A URL writes the address out.
    ['http://127.1:4000'],
  ])('E04 treat %s as this machine', (url) => {
    expect(read('--forward-to', url).target.reach).toEqual({ isPrivate: false, isLocal: true })
  })

  it('E04 allow payloads to another machine only on request, over https', () => {
    const { target } = read('--forward-to', 'https://dev.example.com/hooks', '--allow-remote')
    expect(target).toMatchObject({ reach: { isPrivate: true, isLocal: false }, resolve: undefined })
  })

  it.each([
    ['5051 of this machine without TLS', '127.0.0.1:5051', 'http://127.0.0.1:5051/'],
    ['a host and port elsewhere with TLS', 'live.example.com:8443', 'https://live.example.com:8443/'],
    ['an address', 'https://live.example.com', 'https://live.example.com/'],
  ])('use as the event stream %s', (_, text, href) => {
    expect(read(...HERE, '--grpc', text).feed?.href).toBe(href)
  })

  it.each([
    ['a time', '2026-01-02T03:00:00', { kind: 'time', at: Date.parse('2026-01-02T03:00:00Z') }],
    ['a relative time', '10m', { kind: 'ago', milliseconds: 600_000 }],
    ['days ago', '2d', { kind: 'ago', milliseconds: 172_800_000 }],
  ])('begin with %s', (_, text, since) => {
    expect(read(...HERE, '--since', text).since).toEqual(since)
  })

  it('begin with a cursor', () => {
    const cursor = watchCursorOf(firstIdAt(START.getTime()), [[7, firstIdAt(START.getTime() + 5)]])
    expect(read(...HERE, '--since', cursor).since).toEqual({ kind: 'cursor', cursor })
  })

  it.each<[string, readonly string[], string]>([
    ['no address', [], 'Name the server'],
    ['an invalid address', ['--forward-to', 'localhost:4000'], '--forward-to must be an http or https address'],
    ['another machine', ['--forward-to', 'https://dev.example.com'], '--forward-to is not on this machine'],
    ['a host that resembles this machine', ['--forward-to', 'https://localhost.example.com'], 'is not on this machine'],
    ['another machine without TLS', ['--forward-to', 'http://dev.example.com', '--allow-remote'], 'must be https'],
    [
      'the metadata service of a cloud',
      ['--forward-to', 'https://169.254.169.254/', '--allow-remote'],
      'address is neither public',
    ],
    ['an impossible source', [...HERE, '--source', 'Stripe Inc'], '--source Stripe Inc'],
    ['a glob with a star in a word', [...HERE, '--type', 'payment_*'], '--type payment_*'],
    ['an invalid time', [...HERE, '--since', 'yesterday'], '--since must be'],
    ['a future time', [...HERE, '--since', '2026-01-03T00:00:00'], '--since lies in the future'],
    ['a truncated cursor', [...HERE, '--since', 'NEEm8An__'], '--since must be'],
    ['a service without TLS', [...HERE, '--url', 'http://api.example.com'], '--url must be https'],
    ['a stream without TLS', [...HERE, '--grpc', 'http://live.example.com'], '--grpc must be https'],
    ['a stream with a path', [...HERE, '--grpc', 'https://live.example.com/ws'], '--grpc must be a host and port'],
    ['a stream together with --poll', [...HERE, '--grpc', '127.0.0.1:5051', '--poll'], '--poll asks no event stream'],
  ])('refuse %s', (_, args, reason) => {
    expect(() => read(...args)).toThrow(UsageError)
    expect(() => read(...args)).toThrow(reason)
  })
})

it('E04 a loopback name is this machine, for any answer of a name server', () => {
  const { target } = read('--forward-to', 'http://evil.localhost:4000')
  const found: unknown[] = []
  target.resolve?.('evil.localhost', { all: true }, (_, addresses) => found.push(addresses))
  target.resolve?.('evil.localhost', {}, (_, address, family) => found.push([address, family]))
  expect(found).toEqual([
    [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ],
    ['127.0.0.1', 4],
  ])
})

describe('the secret of a listener', () => {
  it('is new for each run', () => {
    const [one, other] = [signingSecret(undefined), signingSecret('')]
    expect(one.value).not.toBe(other.value)
    expect(one).toEqual({ value: expect.stringMatching(/^whsec_[\w+/]{43}=$/), isNew: true })
  })

  it('is the given one', () => {
    const value = `whsec_${randomBytes(24).toString('base64')}`
    expect(signingSecret(value)).toEqual({ value, isNew: false })
  })

  it.each([
    ['without its prefix', randomBytes(32).toString('base64')],
    ['too short', `whsec_${randomBytes(23).toString('base64')}`],
    ['no base64', 'whsec_!'],
  ])('is refused if it is %s, and is not repeated', (_, value) => {
    expect(() => signingSecret(value)).toThrow('The secret must be whsec_ and the base64 of 24 to 64 bytes')
  })
})
