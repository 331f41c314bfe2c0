import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import type { SourceConfig } from '../../../../lib/config.ts'
import { checkedConfig } from '../../../../lib/deliver/configured/read.ts'
import { catalogFrom } from '../../../../lib/webhooks/sources/catalog.ts'
import { START } from '../../../support/fakes/clock.ts'
import { type Receiver, receiverFor } from '../../../support/webhook-receiver.ts'

const SECRET = 'a secret that both sides know'
const HOUR = 3_600_000
const BODY = '{"data":{"id":"a"},"n":1}'
const SECONDS = String(START.getTime() / 1000)

interface Call {
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** When it comes, in milliseconds after the one before. */
  readonly after?: number
}

/** What became of the calls, and of the last event. */
async function seen(source: SourceConfig, secret: string, calls: readonly Call[]) {
  const sources = catalogFrom(checkedConfig({ sources: { acme: source } }))
  const { receive, clock, events } = receiverFor('acme', { sources, secrets: [secret] })
  const outcomes: Awaited<ReturnType<Receiver['receive']>>[] = []
  for (const { headers, body = BODY, after = 0 } of calls) {
    clock.advance(after)
    const url = 'https://hooks.example.com/webhooks/acme'
    outcomes.push(await receive({ method: 'POST', url, headers, body: Buffer.from(body) }))
  }
  const { eventId, eventType, status, headers } = events().at(-1) ?? {}
  return { outcomes, eventId, eventType, status, headers }
}

function mac(text: string, hash = 'sha256', key: string | Buffer = SECRET): Buffer {
  return createHmac(hash, key).update(text).digest()
}

const hex = mac(BODY).toString('hex')
const signed = (text: string, more: Readonly<Record<string, string>> = {}) => ({
  headers: { 'x-signature': mac(text).toString('hex'), ...more },
})
const timed = (time: string) => signed(`${time}.${BODY}`, { 'x-time': time })
const razorpay = (id: string): Call => ({ headers: { 'x-razorpay-signature': hex, 'x-razorpay-event-id': id } })

const proof = { kind: 'hmac', header: 'X-Signature' } as const
const TIMED = { ...proof, signed: '{time}.{body}', time: { header: 'X-Time' } } as const
const ELEMENTS = { ...proof, separator: ',', prefix: 'v1=' } as const
const BYTES = Buffer.from('0123456789abcdef')

/** Without a part of a second: in a signed text a dot ends the time. */
const INSTANT = START.toISOString().replace('.000', '')

const REFUSED = { outcomes: ['refused'] }
const STORED = { outcomes: ['stored'] }

type Proof = Extract<SourceConfig, { proof: unknown }>['proof']

interface Row {
  readonly key: string
  /** The configuration of which the key makes another one. */
  readonly without: SourceConfig
  readonly given: SourceConfig
  readonly calls: readonly Call[]
  /** What is seen without the key, and with it. */
  readonly expected: readonly [object, object]
}

const inHeader = (signature: string) => ({ headers: { 'x-signature': signature } })
const authorized = (authorization: string) => ({ headers: { authorization } })
const BY_BYTES = inHeader(mac(BODY, 'sha256', BYTES).toString('hex'))
const TOKEN = { kind: 'token', header: 'X-Token' } as const

const ROWS: readonly Row[] = [
  {
    key: 'repeats of a preset',
    without: { preset: 'razorpay' },
    given: { preset: 'razorpay', repeats: 'drop' },
    calls: [razorpay('a'), razorpay('b')],
    expected: [{ outcomes: ['stored', 'held'] }, { outcomes: ['stored', 'duplicate'] }],
  },
  {
    key: 'toleranceSeconds',
    without: { proof: TIMED },
    given: { proof: TIMED, toleranceSeconds: 60 },
    calls: [{ ...timed(SECONDS), after: 61_000 }],
    expected: [STORED, REFUSED],
  },
  {
    key: 'retryHours',
    without: { proof },
    given: { proof, retryHours: 24 },
    calls: [signed(BODY), { ...signed(BODY), after: 30 * HOUR }],
    expected: [{ outcomes: ['stored', 'duplicate'] }, { outcomes: ['stored', 'stored'] }],
  },
  {
    key: 'rule',
    without: { proof },
    given: { proof, rule: 'always-new' },
    calls: [signed(BODY), signed(BODY)],
    expected: [{ outcomes: ['stored', 'duplicate'] }, { outcomes: ['stored', 'alike'] }],
  },
  {
    key: 'event.type',
    without: { proof },
    given: { proof, event: { type: { header: 'X-Type' } } },
    calls: [signed(BODY, { 'x-type': 'order.paid' })],
    expected: [{ eventType: 'UNKNOWN' }, { eventType: 'order.paid', headers: { 'x-type': 'order.paid' } }],
  },
  {
    key: 'event.id',
    without: { proof },
    given: { proof, event: { id: { header: 'X-Id' } } },
    calls: [signed(BODY, { 'x-id': 'id-1' })],
    expected: [{ eventId: expect.stringMatching(/^h:/) }, { eventId: 'id-1', headers: { 'x-id': 'id-1' } }],
  },
  {
    key: 'format',
    without: { proof, event: { id: { path: 'id' } } },
    given: { proof, event: { id: { path: 'id' } }, format: 'form' },
    calls: [{ ...signed('id=id-1&n=1'), body: 'id=id-1&n=1' }],
    expected: [{ status: 'FAILED' }, { status: 'PROCESSED', eventId: 'id-1' }],
  },
  {
    key: 'repeats',
    without: { proof, event: { id: { header: 'X-Id' } } },
    given: { proof, event: { id: { header: 'X-Id' } }, repeats: 'drop' },
    calls: [signed(BODY, { 'x-id': 'a' }), signed(BODY, { 'x-id': 'b' })],
    expected: [{ outcomes: ['stored', 'held'] }, { outcomes: ['stored', 'duplicate'] }],
  },
  {
    key: 'repeats of a sender that tells a state',
    without: { proof, event: { id: { header: 'X-Id' } }, repeats: 'hold' },
    given: { proof, event: { id: { header: 'X-Id' } }, repeats: 'deliver' },
    calls: [signed(BODY, { 'x-id': 'a' }), signed(BODY, { 'x-id': 'b' })],
    expected: [{ outcomes: ['stored', 'held'] }, { outcomes: ['stored', 'alike'] }],
  },
  {
    key: 'proof.time.header',
    without: { proof: { ...proof, signed: '{header:x-time}.{body}' } },
    given: { proof: TIMED },
    calls: [{ ...timed(SECONDS), after: HOUR }],
    expected: [STORED, REFUSED],
  },
  {
    key: 'proof.time.path',
    without: { proof },
    given: { proof: { ...proof, time: { path: 'data.id', unit: 'rfc3339' } } },
    calls: [signed(BODY)],
    expected: [STORED, REFUSED],
  },
]

it.each(ROWS)('a key of a source decides what its sender sees: $key', async (row) => {
  const { without, given, calls, expected } = row
  expect(await seen(without, SECRET, calls)).toMatchObject(expected[0])
  expect(await seen(given, SECRET, calls)).toMatchObject(expected[1])
})

/** Keys of a proof without which its sender is refused. */
const PROOFS: readonly [key: string, without: Proof, given: Proof, call: Call, secret?: string][] = [
  ['hash', proof, { ...proof, hash: 'sha512' }, inHeader(mac(BODY, 'sha512').toString('hex'))],
  ['encoding', proof, { ...proof, encoding: 'base64' }, inHeader(mac(BODY).toString('base64'))],
  ['key: hex', proof, { ...proof, key: 'hex' }, BY_BYTES, BYTES.toString('hex')],
  ['key: whsec', proof, { ...proof, key: 'whsec' }, BY_BYTES, `whsec_${BYTES.toString('base64')}`],
  ['prefix', proof, { ...proof, prefix: 'sha256=' }, inHeader(`sha256=${hex}`)],
  ['separator', { ...proof, prefix: 'v1=' }, ELEMENTS, inHeader(`v0=${'0'.repeat(64)}, v1=${hex}`)],
  ['signed', proof, { ...proof, signed: '{method} {path} {body}' }, signed(`POST /webhooks/acme ${BODY}`)],
  [
    'time.prefix',
    ELEMENTS,
    { ...ELEMENTS, signed: '{time}.{body}', time: { prefix: 'at=' } },
    inHeader(`at=${SECONDS},v1=${mac(`${SECONDS}.${BODY}`).toString('hex')}`),
  ],
  ['time.unit: ms', TIMED, { ...TIMED, time: { header: 'X-Time', unit: 'ms' } }, timed(`${SECONDS}000`)],
  ['time.unit: rfc3339', TIMED, { ...TIMED, time: { header: 'X-Time', unit: 'rfc3339' } }, timed(INSTANT)],
  ['kind: basic', { kind: 'bearer' }, { kind: 'basic' }, authorized(`Basic ${btoa('user:secret')}`), 'user:secret'],
  ['kind: bearer', TOKEN, { kind: 'bearer' }, authorized('Bearer mF_9.B5f-4.1JqM'), 'mF_9.B5f-4.1JqM'],
  ['header: of a token', { ...TOKEN, header: 'X-Other' }, TOKEN, { headers: { 'x-token': SECRET } }],
]

it.each(PROOFS)('a sender is accepted by the key of a proof: %s', async (_, without, given, call, secret = SECRET) => {
  expect(await seen({ proof: without }, secret, [call])).toMatchObject(REFUSED)
  expect(await seen({ proof: given }, secret, [call])).toMatchObject(STORED)
})
