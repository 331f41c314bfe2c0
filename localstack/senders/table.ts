import type { Buffer } from 'node:buffer'
import type { EventPlace, Hmac, OwnSource, SignedTime, SourceConfig } from '../../lib/config.ts'
import { ORDER_STATUSES } from '../../lib/orders/order.ts'
import { piecesOf } from '../../lib/webhooks/configured/template.ts'
import { isProvider } from '../../lib/webhooks/providers/index.ts'
import { SAMPLES } from '../../lib/webhooks/providers/samples.ts'
import { type ProofTexts, rewritten, type Sample, type SampleMessage } from '../../lib/webhooks/sample.ts'
import { type Catalog, KNOWN } from '../../lib/webhooks/sources/catalog.ts'
import { UsageError } from '../command.ts'
import { nearestName } from '../nearest.mjs'

/** Of our own endpoints. */
const genericProof = ({ hex, seconds }: ProofTexts) => ({
  headers: { 'x-timestamp': seconds, 'x-signature': `sha256=${hex}` },
})

/** In milliseconds. */
const DAY = 86_400_000

export const payment: Sample = {
  events: ['COMPLETED', 'FAILED', 'REFUNDED', 'PENDING', 'PROCESSING', 'CANCELLED'],
  draft: (status, { id, at }) => ({
    body: {
      eventId: `pay-${id}`,
      eventType: 'payment',
      timestamp: at.toISOString(),
      transactionId: `tx-${id}`,
      orderId: `order-${id}`,
      status,
      amount: '10.99',
      currency: 'EUR',
    },
  }),
  prove: genericProof,
  transaction: { path: 'transactionId', events: ['COMPLETED', 'FAILED', 'REFUNDED'] },
}

export const orderStatus: Sample = {
  events: ORDER_STATUSES,
  draft: (status, { id, at }) => ({
    body: {
      eventId: `ord-${id}`,
      eventType: 'order',
      timestamp: at.toISOString(),
      orderId: `order-${id}`,
      status,
      trackingNumber: '1Z999AA10123456784',
      carrier: 'UPS',
      estimatedDelivery: new Date(at.getTime() + 3 * DAY).toISOString().slice(0, 10),
    },
  }),
  prove: genericProof,
}

const { generic, ...named } = SAMPLES

/** All senders of webhooks, by the name in the path; `demo` stands for every name without a row. */
export const SENDERS: Readonly<Record<keyof typeof named | 'payment' | 'order-status' | 'demo', Sample>> = {
  ...named,
  payment,
  'order-status': orderStatus,
  demo: generic,
}

/** The samples of a sender; undefined for a name without a row or a configuration. */
export function senderOf(name: string, { configured }: Pick<Catalog, 'configured'> = KNOWN): Sample | undefined {
  const source = configured.get(name)
  const isItself = source && 'preset' in source && source.preset === name
  if (source && !isItself) return configuredSample(source)
  const senders: Readonly<Record<string, Sample>> = SENDERS
  return Object.hasOwn(senders, name) ? senders[name] : undefined
}

/** As {@link senderOf}. @throws UsageError for a name without samples */
export function knownSender(name: string, sources: Pick<Catalog, 'configured'>): Sample {
  const sender = senderOf(name, sources)
  if (sender) return sender
  const known = [...Object.keys(SENDERS), ...sources.configured.keys()]
  if (name === '') throw new UsageError(`Name a provider: ${known.toSorted().join(', ')}`)
  const meant = nearestName(name, known)
  throw new UsageError(
    `There is no provider ${name}: ${meant === undefined ? 'npx gatehouse send --list prints all of them' : `did you mean ${meant}?`}`,
  )
}

/** Sample webhooks of a source that a team configured: those of its preset, or what its description makes of an event. */
function configuredSample(source: SourceConfig): Sample | undefined {
  if (!('preset' in source)) return ownSample(source)
  return isProvider(source.preset) ? SAMPLES[source.preset] : undefined
}

function ownSample(source: OwnSource): Sample {
  const { event: { id: idPlace, type: typePlace } = {}, format } = source
  const parts = signedParts(source)
  return {
    events: ['example.created'],
    draft: (event, { id }) => ({
      ...parts,
      headers: { ...parts.headers, ...headerAt(idPlace, id), ...headerAt(typePlace, event) },
      body: [bodyAt(idPlace, id), bodyAt(typePlace, event)]
        .flat()
        .reduce<unknown>(withSetting, { message: 'an example' }),
    }),
    prove: (proof, message) => provenBy(source, proof, message),
    ...(format === 'form' && { isForm: true }),
  }
}

/** Headers and parameters of the query that nothing but the signed text names. */
function signedParts({ proof }: OwnSource) {
  const pieces = proof.kind === 'hmac' && proof.signed ? piecesOf(proof.signed) : []
  const all = typeof pieces === 'string' ? [] : pieces
  const names = all.flatMap((piece) => ('query' in piece ? [`${piece.query}=example`] : []))
  return {
    headers: Object.fromEntries(all.flatMap((piece) => ('header' in piece ? [[piece.header, 'example']] : []))),
    ...(names.length > 0 && { query: names.join('&') }),
  }
}

function headerAt(place: EventPlace | undefined, value: string): Record<string, string> {
  return place && 'header' in place ? { [place.header.toLowerCase()]: value } : {}
}

function bodyAt(place: EventPlace | undefined, value: string) {
  return place && 'path' in place ? [{ path: place.path.split('.'), value }] : []
}

function provenBy({ proof }: OwnSource, texts: ProofTexts, message: SampleMessage): Partial<SampleMessage> {
  switch (proof.kind) {
    case 'basic':
      return { headers: { authorization: `Basic ${texts.base64}` } }
    case 'bearer':
      return { headers: { authorization: `Bearer ${texts.text}` } }
    case 'token':
      return { headers: { [proof.header.toLowerCase()]: texts.text } }
    case 'hmac':
      return signed(proof, texts, message)
  }
}

function signed(proof: Hmac, texts: ProofTexts, { body }: SampleMessage): Partial<SampleMessage> {
  const { time, prefix = '', encoding = 'hex', separator = '' } = proof
  const at = time && timeText(time, texts)
  const signature = `${prefix}${texts[encoding]}`
  const elements = time && 'prefix' in time ? [`${time.prefix}${at}`, signature] : [signature]
  const headers = { [proof.header.toLowerCase()]: elements.join(separator) }
  if (!time || at === undefined || 'prefix' in time) return { headers }
  return 'header' in time
    ? { headers: { ...headers, [time.header.toLowerCase()]: at } }
    : { headers, body: timedBody(body, time.path, at) }
}

function timedBody(body: Buffer, path: string, at: string): Buffer {
  return rewritten(body, (values) => withSetting(values, { path: path.split('.'), value: at }))
}

function timeText({ unit = 's' }: SignedTime, { seconds, milliseconds, instant }: ProofTexts): string {
  return { s: seconds, ms: milliseconds, rfc3339: instant }[unit]
}

/** A value to set at a path of a body. */
export interface BodyValue {
  readonly path: readonly string[]
  readonly value: unknown
}

/**
 * Parses `path=value`. JSON is taken as such, unless a number would lose digits; anything else is a text.
 * @throws UsageError
 */
export function readSetting(text: string): BodyValue {
  const [, path = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (path.split('.').includes('') || path === '')
    throw new UsageError('--set must be path=value, as data.object.amount=500')
  return { path: path.split('.'), value: parsed(value) }
}

/** A copy of the values with one replaced; creates missing objects on the way. */
export function withSetting(values: unknown, { path, value }: BodyValue): unknown {
  const [name, ...rest] = path
  if (name === undefined) return value
  if (Array.isArray(values) && /^\d{1,4}$/.test(name)) {
    const inner = withSetting(values[Number(name)], { path: rest, value })
    return Object.assign([...values], { [name]: inner })
  }
  const fields = typeof values === 'object' && !Array.isArray(values) ? values : {}
  return { ...fields, [name]: withSetting(own(values, name), { path: rest, value }) }
}

/** The text at a path, to set it in another body. */
export function textAt(values: unknown, path: readonly string[]): string {
  return String(path.reduce(own, values))
}

function own(values: unknown, name: string): unknown {
  return typeof values === 'object' && values !== null && Object.hasOwn(values, name)
    ? Reflect.get(values, name)
    : undefined
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'number' && String(value) !== text ? text : value
  } catch {
    return text
  }
}
