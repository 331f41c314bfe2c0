import { Buffer } from 'node:buffer'
import { Parser as ReferenceParser } from '@stomp/stompjs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CLIENT_COMMANDS,
  type Command,
  encode,
  escapeHeader,
  escapesOf,
  type Frame,
  frame,
  mayHaveBody,
  ProtocolError,
  SERVER_COMMANDS,
  VERSIONS,
  type Version,
} from '../../../../lib/stomp/codec/frame.ts'
import { Parser } from '../../../../lib/stomp/codec/parser.ts'
import { anyText } from '../../../support/any-text.ts'
import { inFull } from '../../../support/full-runs.ts'

function read(input: string | Uint8Array, version?: Version, pieceSize?: number): Frame[] {
  return [...frameByFrame(typeof input === 'string' ? Buffer.from(input) : input, pieceSize, version)]
}

function* frameByFrame(bytes: Uint8Array, pieceSize = Number.POSITIVE_INFINITY, version: Version = '1.2') {
  const parser = new Parser()
  parser.version = version
  for (let from = 0; from < bytes.length; from += pieceSize) {
    parser.push(bytes.subarray(from, from + pieceSize))
    for (let next = parser.next(); next; next = parser.next()) yield next
  }
}

function errorOf(input: string | Uint8Array, version: Version = '1.2'): unknown {
  try {
    read(input, version)
    return undefined
  } catch (error) {
    return error
  }
}

const show = ({ command, headers, body }: Frame) => ({
  command,
  headers: Object.fromEntries(headers),
  body: Buffer.from(body).toString('latin1'),
})

const send = (rest: string) => `SEND\n${rest}`

describe('the parser accepts', () => {
  it.each<readonly [string, string, object]>([
    ['CRLF', 'SEND\r\na:b\r\n\r\nc\r\n\0', { command: 'SEND', headers: { a: 'b' }, body: 'c\r\n' }],
    ['T03 the first of repeated headers', send('a:1\na:2\n\n\0'), { command: 'SEND', headers: { a: '1' }, body: '' }],
    ['blanks around a value', send('a: b \n\n\0'), { command: 'SEND', headers: { a: ' b ' }, body: '' }],
    [
      'T03 NUL in a body with its length',
      send('content-length:3\n\na\0b\0'),
      { command: 'SEND', headers: { 'content-length': '3' }, body: 'a\0b' },
    ],
    [
      'the escapes of 1.2',
      send('a\\cb:\\n\\c\\\\\\r\\\\n\n\n\0'),
      { command: 'SEND', headers: { 'a:b': '\n:\\\r\\n' }, body: '' },
    ],
    ['no escape in STOMP', 'STOMP\na:\\x\n\n\0', { command: 'STOMP', headers: { a: '\\x' }, body: '' }],
  ])('%s', (_, input, expected) => {
    expect(read(input).map(show)).toEqual([expected])
    expect(read(input, '1.2', 1).map(show)).toEqual([expected])
  })

  it('heart-beats before, between and after frames', () => {
    expect(read('\n\r\n\nBEGIN\n\n\0\n\r\n\nCOMMIT\n\n\0\n').map(({ command }) => command)).toEqual(['BEGIN', 'COMMIT'])
  })

  it('nothing of an incomplete frame', () => {
    expect(read('SEND\na:b\n\nbody')).toEqual([])
  })

  it('the headers of a later frame in the same bytes in the version that was set in the meantime', () => {
    const parser = new Parser()
    parser.push(Buffer.from('CONNECT\n\n\0SEND\na:\\r\n\n\0'))
    parser.next()
    parser.version = '1.1'
    expect(() => parser.next()).toThrow('an escape in a header is not defined')
  })
})

describe('the parser refuses as malformed', () => {
  it.each([
    ['an unknown command', 'GET / HTTP/1.1\n\n\0', 'the command is not known'],
    ['T03 a byte order mark', '\ufeffSEND\n\n\0', 'the command is not known'],
    ['NUL between frames', '\0\n', 'a header must not hold CR or NUL'],
    ['a header without a colon', send('a\n\n\0'), 'a header must have a name and a colon'],
    ['a header without a name', send(':a\n\n\0'), 'a header must have a name and a colon'],
    ['T03 an escape that 1.2 does not define', send('a:\\x\n\n\0'), 'an escape in a header is not defined'],
    ['a backslash at the end', send('a:\\\n\n\0'), 'an escape in a header is not defined'],
    ['CR within a line', send('a:b\rc\n\n\0'), 'a header must not hold CR or NUL'],
    ['T03 a frame whose NUL comes before its headers end', 'SEND\na:b\0SEND\n\n\0', 'a header must not hold CR or NUL'],
    ['T03 a content-length too small', send('content-length:1\n\nab\0'), 'NUL must follow the body'],
    [
      'T03 a content-length too large, at the next frame',
      send('content-length:3\n\nab\0SEND\n\n\0'),
      'NUL must follow the body',
    ],
    ['a content-length that is not a number', send('content-length:1e1\n\n\0'), 'content-length must be a number'],
    ['a body in a frame that has none', 'SUBSCRIBE\n\nx\0', 'only SEND may have a body'],
    ['a length in a frame without a body', 'SUBSCRIBE\ncontent-length:1\n\nx\0', 'only SEND may have a body'],
    ['a header that is not UTF-8', Buffer.from('SEND\na:\xff\n\n\0', 'latin1'), 'a header must be UTF-8'],
  ])('%s', (_, input, message) => {
    expect(errorOf(input)).toMatchObject({ name: 'ProtocolError', violation: 'malformed', message })
  })

  it('CR as an escape in 1.1', () => {
    expect(errorOf(send('a:\\r\n\n\0'), '1.1')).toMatchObject({ violation: 'malformed' })
  })
})

describe('T04 the limits of a frame', () => {
  const line = (length: number) => `a:${'x'.repeat(length - 2)}\n`
  const headers = (count: number) => Array.from({ length: count }, (_, index) => `h${index}:x\n`).join('')

  it.each([
    ['a header line of 8,192 bytes', send(`${line(8192)}\n\0`), undefined],
    ['a header line of 8,193 bytes', send(`${line(8193)}\n\0`), 'head-too-large: a header line is too long'],
    ['a line without an end', 'x'.repeat(8193), 'head-too-large: a header line is too long'],
    ['64 headers', send(`${headers(64)}\n\0`), undefined],
    ['65 headers', send(`${headers(65)}\n\0`), 'head-too-large: too many headers'],
    ['65 times the same header', send(`${'a:b\n'.repeat(65)}\n\0`), 'head-too-large: too many headers'],
    ['a body of 65,536 bytes', send(`\n${'x'.repeat(65_536)}\0`), undefined],
    ['a body of 65,537 bytes', send(`\n${'x'.repeat(65_537)}\0`), 'body-too-large: the body is too large'],
    ['a length of 65,537', send('content-length:65537\n\n'), 'body-too-large: the body is too large'],
  ])('%s', (_, input, expected) => {
    const error = errorOf(input)
    expect(error instanceof ProtocolError ? `${error.violation}: ${error.message}` : error).toBe(expected)
  })

  it('a body that arrives byte by byte uses no more memory than its bytes', () => {
    const parser = new Parser()
    parser.push(Buffer.from('SEND\n\n'))
    const one = Buffer.from('x')
    for (let count = 0; count < 65_536; count++) {
      parser.push(one)
      parser.next()
    }
    parser.push(one)
    expect(() => parser.next()).toThrow(ProtocolError)
  })
})

it.each([
  ['alone', 65_536, 0],
  ['among many', 100, 65_536],
  ['in pieces', 65_536, 1],
])('a body that arrived %s keeps hardly more than itself in memory', (_, length, rest) => {
  const parser = new Parser()
  const bytes = new Uint8Array(Buffer.from(send(`\n${'x'.repeat(length)}\0${'\n'.repeat(rest)}`)))
  const half = rest === 1 ? Math.floor(bytes.length / 2) : 0
  parser.push(bytes.slice(0, half))
  parser.next()
  parser.push(bytes.slice(half))
  const { body } = parser.next() ?? frame('SEND', {})
  expect(body).toHaveLength(length)
  expect(body.buffer.byteLength - body.length).toBeLessThanOrEqual(512)
})

const commands = fc.constantFrom<Command>(...CLIENT_COMMANDS, ...SERVER_COMMANDS)
const versions = fc.constantFrom(...VERSIONS)
const noNul = anyText({ maxLength: 40 }).filter((text) => !text.includes('\0'))
const plainText = fc.string({ unit: 'grapheme-ascii', maxLength: 40 }).map((text) => text.trim())
const bodies = fc.uint8Array({ maxLength: 300 })

/** A frame that its version can say. */
const frames = fc.tuple(commands, versions).chain(([command, version]) => {
  const escapes = escapesOf(command, version)
  const text = escapes === '1.2' ? noNul : escapes === '1.1' ? noNul.filter((t) => !t.includes('\r')) : plainText
  const names = text.filter((name) => name !== '' && !(escapes === 'none' && name.includes(':')))
  const headers = fc.dictionary(
    names.filter((name) => name !== 'content-length'),
    text,
    { maxKeys: 8, noNullPrototype: true },
  )
  const body = mayHaveBody(command) ? bodies : fc.constant(new Uint8Array(0))
  return fc.record({
    version: fc.constant(version),
    sent: fc.tuple(headers, body).map(([h, b]) => frame(command, h, b)),
  })
})

const withoutLength = (shown: ReturnType<typeof show>) => {
  const { 'content-length': _, ...headers } = shown.headers
  return { ...shown, headers }
}

describe('for every possible frame of a version', () => {
  it('an encoded frame is parsed to the same frame, in pieces of any size', () => {
    fc.assert(
      fc.property(frames, fc.integer({ min: 1, max: 50 }), ({ sent, version }, pieceSize) => {
        const [received, ...more] = read(encode(sent, version), version, pieceSize).map(show)
        expect(more).toEqual([])
        expect(received && withoutLength(received)).toEqual(show(sent))
      }),
      { numRuns: inFull(500, 100) },
    )
  })

  it('the parser of @stomp/stompjs reads the same, except for a byte order mark, which it loses', () => {
    fc.assert(
      fc.property(fc.array(frames, { minLength: 1, maxLength: 4 }), (sent) => {
        for (const { sent: one, version } of sent) {
          const bytes = encode(one, version)
          const escapes = escapesOf(one.command, version)
          const ours = read(bytes, version).map(({ command, headers, body }) => ({
            command,
            headers: Array.from(headers, (pair) =>
              pair.map((text) => escapeHeader(text, escapes).replace(/^\ufeff/, '')),
            ),
            body: Buffer.from(body).toString('latin1'),
          }))
          expect(ours).toEqual(readByReference(bytes))
        }
      }),
      { numRuns: inFull(500, 100) },
    )
  })
})

/** Frames with a byte too many, or one in the place of another. */
const nearlyFrames = fc
  .tuple(
    fc.array(frames, { minLength: 1, maxLength: 3 }),
    fc.nat(),
    fc.constantFrom('', '\n', '\r', '\r\n', '\0', ':', '\\', 'é', '\xff', 'x'),
    fc.nat({ max: 1 }),
  )
  .map(([sent, place, put, left]) => {
    const bytes = Buffer.concat(sent.map(({ sent: one, version }) => encode(one, version)))
    const at = place % bytes.length
    return Buffer.concat([bytes.subarray(0, at), Buffer.from(put, 'latin1'), bytes.subarray(at + left)])
  })

/** The frames, and behind them why no more were read. */
function outcomeOf(bytes: Uint8Array, pieceSize?: number): readonly unknown[] {
  const seen: unknown[] = []
  try {
    for (const one of frameByFrame(bytes, pieceSize)) seen.push(show(one))
  } catch (error) {
    seen.push(String(error))
  }
  return seen
}

it('malformed frames have the same result at once as byte by byte', () => {
  fc.assert(
    fc.property(nearlyFrames, (bytes) => {
      expect(outcomeOf(bytes)).toEqual(outcomeOf(bytes, 1))
    }),
    { numRuns: inFull(1000, 100) },
  )
})

function readByReference(bytes: Uint8Array): object[] {
  const frames: object[] = []
  const parser = new ReferenceParser(
    ({ command, headers, binaryBody }) =>
      frames.push({ command, headers, body: Buffer.from(binaryBody ?? []).toString('latin1') }),
    () => {},
  )
  parser.parseChunk(new Uint8Array(bytes).buffer)
  return frames
}
