import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { firstIdAt } from '../../../../lib/runtime/ids.ts'
import { watchCursorOf } from '../../../../lib/webhooks/live/cursor.ts'
import { UsageError } from '../../../../localstack/command.ts'
import { readListenCommand } from '../../../../localstack/listen/options.ts'
import { signingSecret } from '../../../../localstack/listen/signing-secret.ts'
import { START } from '../../../support/fakes/clock.ts'

const HERE = ['--forward-to', 'http://127.0.0.1:4000/hooks']

const read = (...args: readonly string[]) => readListenCommand(args, START)

describe('the options of a listener', () => {
  it('keep path and query of the address', () => {
    const { target } = read('--forward-to', 'http://localhost:4000/a%20b/?x=1&x=2')
    expect(target.url.href).toBe('http://localhost:4000/a%20b/?x=1&x=2')
  })

  it('take several sources and types', () => {
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
  ])('E04 take %s as this machine', (url) => {
    expect(read('--forward-to', url).target.reach).toEqual({ isPrivate: false, isLocal: true })
  })

  it('E04 let payloads go to another machine only when that is wanted, by https', () => {
    const { target } = read('--forward-to', 'https://dev.example.com/hooks', '--allow-remote')
    expect(target).toMatchObject({ reach: { isPrivate: true, isLocal: false }, resolve: undefined })
  })

  it.each([
    ['5051 of this machine without TLS', '127.0.0.1:5051', 'http://127.0.0.1:5051/'],
    ['a host and port elsewhere with TLS', 'live.example.com:8443', 'https://live.example.com:8443/'],
    ['an address', 'https://live.example.com', 'https://live.example.com/'],
  ])('take as the event stream %s', (_, text, href) => {
    expect(read(...HERE, '--grpc', text).feed?.href).toBe(href)
  })

  it.each([
    ['a time', '2026-01-02T03:00:00', { kind: 'time', at: Date.parse('2026-01-02T03:00:00Z') }],
    ['a time with Z', '2026-01-02T03:00:00.123Z', { kind: 'time', at: Date.parse('2026-01-02T03:00:00.123Z') }],
    ['how long ago', '10m', { kind: 'ago', milliseconds: 600_000 }],
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
    ['an address that is none', ['--forward-to', 'localhost:4000'], '--forward-to must be an http or https address'],
    ['an address of another kind', ['--forward-to', 'ftp://127.0.0.1/'], '--forward-to must be an http or https'],
    ['another machine', ['--forward-to', 'https://dev.example.com'], '--forward-to is not on this machine'],
    ['what looks like this machine', ['--forward-to', 'https://localhost.example.com'], 'is not on this machine'],
    ['the network around', ['--forward-to', 'http://192.168.0.7:4000'], 'is not on this machine'],
    ['another machine in the clear', ['--forward-to', 'http://dev.example.com', '--allow-remote'], 'must be https'],
    [
      'metadata of a cloud',
      ['--forward-to', 'https://169.254.169.254/', '--allow-remote'],
      'address is neither public',
    ],
    ['a user in the address', ['--forward-to', 'http://ada@127.0.0.1:4000'], 'address names a user'],
    ['an unknown option', [...HERE, '--forward'], "Unknown option '--forward'"],
    ['a word too many', [...HERE, 'stripe'], "Unexpected argument 'stripe'"],
    ['a source that cannot be', [...HERE, '--source', 'Stripe Inc'], '--source Stripe Inc'],
    ['a glob with a star in a word', [...HERE, '--type', 'payment_*'], '--type payment_*'],
    ['a glob with an empty segment', [...HERE, '--type', 'orders//paid'], '--type orders//paid'],
    ['a time that is none', [...HERE, '--since', 'yesterday'], '--since must be'],
    ['a day that no calendar has', [...HERE, '--since', '2026-02-30T00:00:00'], '--since must be'],
    ['a time to come', [...HERE, '--since', '2026-01-03T00:00:00'], '--since lies in the future'],
    ['a cursor that was cut', [...HERE, '--since', 'NEEm8An__'], '--since must be'],
    ['a service in the clear', [...HERE, '--url', 'http://api.example.com'], '--url must be https'],
    ['a stream in the clear', [...HERE, '--grpc', 'http://live.example.com'], '--grpc must be https'],
    ['a stream with a path', [...HERE, '--grpc', 'https://live.example.com/ws'], '--grpc must be a host and port'],
    [
      'a stream that is not to be asked',
      [...HERE, '--grpc', '127.0.0.1:5051', '--poll'],
      '--poll asks no event stream',
    ],
  ])('refuse %s', (_, args, reason) => {
    expect(() => read(...args)).toThrow(UsageError)
    expect(() => read(...args)).toThrow(reason)
  })
})

it('E04 a loopback name is this machine, whatever a name server says', () => {
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
  it('is a new one for each run', () => {
    const [one, other] = [signingSecret(undefined), signingSecret('')]
    expect(one.value).not.toBe(other.value)
    expect(one).toEqual({ value: expect.stringMatching(/^whsec_[\w+/]{43}=$/), isNew: true })
  })

  it('is the one that is given', () => {
    const value = `whsec_${randomBytes(24).toString('base64')}`
    expect(signingSecret(value)).toEqual({ value, isNew: false })
  })

  it.each([
    ['without its prefix', randomBytes(32).toString('base64')],
    ['too short', `whsec_${randomBytes(23).toString('base64')}`],
    ['too long', `whsec_${randomBytes(65).toString('base64')}`],
    ['no base64', 'whsec_!'],
  ])('is not one that is %s, and is not repeated', (_, value) => {
    expect(() => signingSecret(value)).toThrow('The secret must be whsec_ and the base64 of 24 to 64 bytes')
  })
})
