import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { SampleMessage } from '../../lib/webhooks/sample.ts'
import type { SignedCall } from '../../lib/webhooks/schemes/scheme.ts'
import type { Catalog } from '../../lib/webhooks/sources/catalog.ts'
import { verify } from '../../lib/webhooks/verify.ts'
import { bytesOf, newMessage, valuesOf } from '../senders/message.ts'
import { eventIdOf, NO_ID, type ProvenCall, prove, type Signing } from '../senders/prove.ts'
import { type SenderCredentials, signerOf } from '../senders/signers.ts'
import { withSetting } from '../senders/table.ts'

/** Whose calls a receiver gets, and where. */
export interface Bench extends Pick<Signing, 'name' | 'sender' | 'credentials' | 'url'> {
  readonly sources: Catalog
  /** Where the provider says how it signs. */
  readonly source: string
  /** That the receiver knows, too, while a secret is replaced. */
  readonly next?: SenderCredentials | undefined
  /** That the receiver knew before. */
  readonly former?: SenderCredentials | undefined
}

/** The calls, one after the other; none where the provider cannot send such; the reason where they are not wanted. */
type Calls = (bench: Bench) => SignedCall | undefined | readonly SignedCall[] | string

export interface Fault {
  /** What the receiver should do: answer 2xx, answer 4xx, or either of them. */
  readonly should: 'take' | 'refuse' | 'answer'
  /** Which rule says so; `{source}` stands for the page of the provider's signatures. */
  readonly why: string
  readonly calls: Calls
  /** How many events they are, if not one. */
  readonly events?: number
  readonly isTogether?: true
  /** Whether two other connections are left open meanwhile. */
  readonly isStalled?: true
}

type More = Partial<Omit<Fault, 'should'>>
const taken = (why: string, calls: Calls, more: More = {}): Fault => ({ should: 'take', why, calls, ...more })
const refused = (why: string, calls: Calls): Fault => ({ should: 'refuse', why, calls })
const answered = (why: string, calls: Calls): Fault => ({ should: 'answer', why, calls })

const ONCE = 'Standard Webhooks, "Verifying signatures": the id of an event keeps it from being processed twice'
const LATER = 'Standard Webhooks, "Deliverability and reliability": what failed is sent again later'
const BYTES = '{source}: the bytes of the body are signed as they are sent'
const FORGED = '{source}: without its signature, a call is of anyone; 5xx would have it repeated'
const BOTH = '{source}: while a secret is replaced, both are in use'
const UNKNOWN = { event: 'gatehouse.unknown' }
const STALLED = { isStalled: true } as const
const LATIN = { 'content-type': 'application/json; charset=iso-8859-1' }

/** The faults, in the order in which they are tried: without the first, the others show nothing. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  good: taken('Standard Webhooks, "Delivery success and failure": only 2xx is success', (bench) => signed(bench)),
  repeated: taken(ONCE, (bench) => (hasId(bench) ? threeTimes(bench) : [])),
  'two-at-once': taken(ONCE, (bench) => (hasId(bench) ? Array(2).fill(signed(bench)) : []), { isTogether: true }),
  late: taken('{source}: its time is within what is allowed', (bench) => signedAgo(bench, (most) => most / 2)),
  'out-of-order': taken(LATER, (bench) => [signed(bench), signed(bench, fresh(bench, { age: 60 }))], { events: 2 }),
  'unknown-event': taken('what is refused is sent again, and in the end nothing is sent any more', (bench) =>
    hasId(bench, UNKNOWN) ? signed(bench, fresh(bench, UNKNOWN)) : [],
  ),
  unicode: taken('RFC 8259, section 8.1: JSON is UTF-8', withUnicodeIds),
  'odd-bytes': taken(BYTES, (bench) => (isJson(bench) ? signed(bench, oddly(fresh(bench))) : [])),
  charset: taken('RFC 8259, section 11: the parameter charset has no effect on JSON', (bench) =>
    isJson(bench) ? changed(bench, ({ headers }) => ({ headers: { ...headers, ...LATIN } })) : [],
  ),
  'two-signatures': taken(BOTH, doublySigned),
  'next-secret': taken(BOTH, (bench) =>
    bench.next ? signed(bench, fresh(bench), { credentials: bench.next }) : 'It needs --next-secret.',
  ),
  'wrong-signature': refused(FORGED, (bench) => signed(bench, fresh(bench), { isForged: true })),
  'no-signature': refused(FORGED, (bench) => ({ ...signed(bench), ...fresh(bench) })),
  'other-secret': refused(FORGED, (bench) => signed(bench, fresh(bench), { credentials: strange(bench) })),
  'old-time': refused('{source}: its time is too old, and anyone may have recorded it', (bench) =>
    signedAgo(bench, (most, late) => Math.max(most, late) + 60),
  ),
  whitespace: refused(BYTES, (bench) =>
    changed(bench, ({ body }) => ({ body: Buffer.from(body.toString().replace(/^./, '$& ')) })),
  ),
  coding: answered('RFC 9110, section 15.5.16: 415 refuses a coding that is not supported', (bench) =>
    changed(bench, ({ headers, body }) => ({
      headers: { ...headers, 'content-encoding': 'gzip' },
      body: gzipSync(body),
    })),
  ),
  '4-mb': answered('RFC 9110, section 15.5.14: 413 refuses too much', (bench) => padded(bench, 4_000_000)),
  silence: taken('RFC 9110, section 15.5.9: silence ends a call, and not others', (bench) => signed(bench), STALLED),
  get: refused('RFC 9110, section 15.5.6: 405 refuses a method that is not supported', (bench) =>
    changed(bench, () => ({ method: 'GET', body: Buffer.alloc(0) })),
  ),
}

function secondsAgo(seconds: number): Date {
  return new Date(Date.now() - seconds * 1000)
}

/** A new event, the usual one of the provider unless another is wanted. @param given age in seconds */
function fresh({ sender }: Bench, given: { event?: string; age?: number; id?: string } = {}): SampleMessage {
  const { event = sender.events[0], age = 0, id = randomUUID() } = given
  return newMessage(sender, event, { id, at: secondsAgo(age) })
}

function signed(bench: Bench, message = fresh(bench), options: Partial<Signing> = {}): ProvenCall {
  return prove(message, { signedAt: new Date(), ...bench, ...options })
}

/** A good call that is changed on its way. */
function changed(bench: Bench, change: (call: ProvenCall) => Partial<ProvenCall>): ProvenCall {
  const call = signed(bench)
  return { ...call, ...change(call) }
}

/** Whether events have an id by which a repetition is known. */
function hasId(bench: Bench, given = {}): boolean {
  return eventIdOf(bench.name, signed(bench, fresh(bench, given)), bench.sources) !== NO_ID
}

function isJson(bench: Bench): boolean {
  return fresh(bench).headers['content-type'] === 'application/json'
}

/**
 * A call of another age; none where a call may have any, or where a slow way may take the time.
 * @param age in seconds, from what the scheme tolerates, and from how long the provider repeats a call with its first time
 */
function signedAgo(bench: Bench, age: (most: number, late: number) => number): SignedCall | undefined {
  const { scheme, lateSeconds = 0 } = bench.sources.sourceOf(bench.name)
  const seconds = age(scheme.toleranceSeconds, lateSeconds)
  const isJudged = Number.isFinite(seconds) && seconds >= 30
  return isJudged ? signed(bench, fresh(bench), { signedAt: secondsAgo(seconds) }) : undefined
}

/** Under the receiver's name, but with a secret that it does not know. */
function strange({ name, sources, credentials, former }: Bench): SenderCredentials {
  const signer = signerOf(sources.providerOf(name).scheme.methods[0])
  const { signingKey, secret } = signer.make()
  return former ?? (signer.isPaired ? { ...credentials, signingKey } : { secret })
}

/** A call that is signed with two secrets, that of the receiver last; undefined where a call has one signature. */
function doublySigned(bench: Bench): SignedCall | undefined {
  const [message, signedAt] = [fresh(bench), new Date()]
  const { header = '' } = bench.sources.providerOf(bench.name).scheme
  const own = signed(bench, message, { signedAt })
  const other = signed(bench, message, { signedAt, credentials: strange({ ...bench, former: undefined }) })
  const [first = '', second = ''] = [other, own].map(({ headers }) => headers[header])
  const both = (headers: SampleMessage['headers']) => ({ ...own, headers: { ...own.headers, ...headers } })
  if (header.endsWith('-1')) return both({ [header]: first, [header.replace(/1$/, '2')]: second })
  const [, joint = ' ', element] = /(?:\d([,; ]+))?([vh]1[=,].+)$/.exec(second) ?? []
  return element === undefined ? undefined : both({ [header]: first + joint + element })
}

/** With letters that are not ASCII in every id of the body; undefined for a body without an id. */
function withUnicodeIds(bench: Bench): SignedCall | undefined {
  const id = randomUUID()
  const message = fresh(bench, { id })
  const text = bench.sender.isForm ? encodeURIComponent(`${id}-Zoë-😀`) : `${id}-Zoë-😀`
  const body = Buffer.from(message.body.toString().replaceAll(id, text))
  return body.equals(message.body) ? undefined : signed(bench, { ...message, body })
}

/** With a member of another name and so many bytes. */
function padded(bench: Bench, bytes: number): SignedCall {
  const message = fresh(bench)
  const values = valuesOf(bench.sender, message.body)
  const path = Array.isArray(values) ? ['0', 'padding'] : ['padding']
  const body = bytesOf(bench.sender, withSetting(values, { path, value: 'x'.repeat(bytes) }))
  return signed(bench, { ...message, body })
}

/** Whether the scheme of the provider takes a call for its own now. */
export function isProven({ name, sources, credentials, next }: Bench, call: SignedCall): boolean {
  const { scheme, lateSeconds } = sources.sourceOf(name)
  const secrets = [credentials, next].flatMap((one) => (one ? { value: one.secret } : []))
  return verify(call, { scheme, secrets, now: new Date(), lateSeconds }).ok
}

/** The same call twice, and the same bytes with a new signature. */
function threeTimes(bench: Bench): readonly SignedCall[] {
  const message = fresh(bench)
  const call = signed(bench, message)
  return [call, call, signed(bench, message, { signedAt: secondsAgo(1) })]
}

/** Valid JSON that no serializer would write so. */
function oddly(message: SampleMessage): SampleMessage {
  const text = JSON.stringify(JSON.parse(message.body.toString()), null, 2).replaceAll('/', '\\/')
  return { ...message, body: Buffer.from(`${text}\n`) }
}
