import { Buffer } from 'node:buffer'
import type { Headers, SignedCall } from '../../../lib/webhooks/schemes/scheme.ts'
import type { Random } from '../random.ts'

type BytesChange = (bytes: Buffer, random: Random) => Buffer
type CallChange = (call: SignedCall, random: Random, others: readonly SignedCall[]) => SignedCall

/** Pieces that parsers trip over. */
const PIECES = [
  ...['', ' ', ',', ';', '=', '.', ':', '|', '%', '&', '+', '-', '/', '_', '"', "'", '\\', '\n', '\r\n', '\t', '\0'],
  ...[
    '0',
    '1',
    '9',
    'a',
    'A',
    'f',
    'F',
    'é',
    '\ufeff',
    '\ud83d\ude00',
    '%00',
    '%2F',
    '%3a',
    '==',
    '{}',
    '[]',
    '{"',
    '"}',
  ],
  ...['t=', 't=0', 'v0=', 'v1=', 'v1,', 'v1a,', 'sha1=', 'sha256=', 'ts=1', 'h1=', ',v1=', ', v1=', ' v1,', ',t=1'],
  ...[
    'null',
    'true',
    '1e400',
    '-1',
    'NaN',
    '"__proto__":{},',
    '"constructor":1,',
    '"signature":{},',
    'a=1&',
    'Z',
    '.5Z',
  ],
  'x'.repeat(300),
].map((text) => Buffer.from(text))

const BYTES_CHANGES: readonly BytesChange[] = [
  function flip(bytes, random) {
    const changed = Buffer.from(bytes)
    const place = random.below(changed.length || 1)
    if (changed.length > 0) changed.writeUInt8(changed.readUInt8(place) ^ (1 << random.below(8)), place)
    return changed
  },
  function insert(bytes, random) {
    return splice(bytes, random.below(bytes.length + 1), 0, random.pick(PIECES))
  },
  function overwrite(bytes, random) {
    return splice(bytes, random.below(bytes.length + 1), random.below(4), random.pick(PIECES))
  },
  function remove(bytes, random) {
    return splice(bytes, random.below(bytes.length + 1), 1 + random.below(3), Buffer.alloc(0))
  },
  function cut(bytes, random) {
    return bytes.subarray(0, random.below(bytes.length + 1))
  },
  function double(bytes, random) {
    const place = random.below(bytes.length + 1)
    return splice(bytes, place, 0, bytes.subarray(place, place + 1 + random.below(40)))
  },
  function move(bytes, random) {
    const place = random.below(bytes.length + 1)
    const piece = bytes.subarray(place, place + 1 + random.below(8))
    const rest = splice(bytes, place, piece.length, Buffer.alloc(0))
    return splice(rest, random.below(rest.length + 1), 0, piece)
  },
  function repeat(bytes, random) {
    return Buffer.concat([bytes, random.pick(PIECES), bytes])
  },
  function append(bytes, random) {
    return Buffer.concat([bytes, random.pick(PIECES)])
  },
  function recase(bytes, random) {
    const text = bytes.toString('latin1')
    return Buffer.from(random.below(2) ? text.toUpperCase() : text.toLowerCase(), 'latin1')
  },
  function count(bytes, random) {
    const text = bytes.toString('latin1').replace(/\d(?=\D*$)/, () => String(random.below(10)))
    return Buffer.from(text, 'latin1')
  },
]

const CALL_CHANGES: readonly CallChange[] = [
  changeBody,
  changeBody,
  changeBody,
  changeHeader,
  changeHeader,
  changeHeader,
  changeHeader,
  function dropHeader(call, random) {
    const { [nameIn(call.headers, random)]: _, ...headers } = call.headers
    return { ...call, headers }
  },
  function swapHeaders(call, random) {
    const [one, other] = [nameIn(call.headers, random), nameIn(call.headers, random)]
    return { ...call, headers: { ...call.headers, [one]: call.headers[other], [other]: call.headers[one] } }
  },
  function addHeader(call, random, others) {
    const { headers } = random.pick(others)
    const name = nameIn(headers, random)
    return { ...call, headers: { [name]: headers[name], ...call.headers } }
  },
  function takeHeaders(call, random, others) {
    return { ...call, headers: { ...call.headers, ...random.pick(others).headers } }
  },
  function takeBody(call, random, others) {
    return { ...call, body: random.pick(others).body }
  },
  function moveIntoUrl(call, random) {
    const length = random.below(call.body.length + 1)
    return { ...call, url: call.url + call.body.toString('latin1', 0, length), body: call.body.subarray(length) }
  },
  function changeUrl(call, random) {
    return { ...call, url: textChanged(call.url, random) }
  },
  function changeMethod(call, random) {
    return { ...call, method: random.pick(['GET', 'PUT', 'post', '', 'POSTh']) }
  },
]

function changeBody(call: SignedCall, random: Random): SignedCall {
  return { ...call, body: random.pick(BYTES_CHANGES)(call.body, random) }
}

function changeHeader(call: SignedCall, random: Random): SignedCall {
  const name = nameIn(call.headers, random)
  return { ...call, headers: { ...call.headers, [name]: textChanged(call.headers[name] ?? '', random) } }
}

/** The call with one, two or three changes; some of them change nothing. */
export function mutate(call: SignedCall, random: Random, others: readonly SignedCall[]): SignedCall {
  let changed = call
  for (let left = 1 + random.below(3); left > 0; left--) changed = random.pick(CALL_CHANGES)(changed, random, others)
  return changed
}

/** Seldom one that nobody signs. */
function nameIn(headers: Headers, random: Random): string {
  const names = Object.keys(headers)
  const others = names.filter((name) => name !== 'content-type')
  return random.pick(['x-other', ...names, ...others, ...others, ...others])
}

function textChanged(text: string, random: Random): string {
  return random.pick(BYTES_CHANGES)(Buffer.from(text), random).toString()
}

function splice(bytes: Buffer, place: number, length: number, piece: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, place), piece, bytes.subarray(place + length)])
}
