import type { Buffer } from 'node:buffer'
import type { NamedSecret } from '../config.ts'
import { HMAC_SHA256_WHSEC, macOf } from '../webhooks/schemes/methods.ts'
import { goodSecrets, type SharedSecret } from '../webhooks/verify.ts'
import type { Parcel } from './carrier.ts'
import type { DeliveredEvent } from './delivery.ts'
import type { HttpTarget } from './destination.ts'

/** The values of DELIVERY_SECRETS by name; what a destination signs with stands under its own name. */
export type DeliverySecrets = ReadonlyMap<string, readonly SharedSecret[]>

export type HttpHeaders =
  | { readonly kind: 'ready'; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: 'no-secret'; readonly answer: string }

interface Addressee {
  readonly name: string
  readonly target: Pick<HttpTarget, 'url' | 'headers'>
}

/** The headers of one try; those of the configuration replace none of the standard ones. */
export function httpHeaders(parcel: Parcel, { name, target }: Addressee, secrets: DeliverySecrets): HttpHeaders {
  const { event, at } = parcel
  const signed = signatureHeaders(event, secrets.get(name) ?? [], at)
  if (signed === undefined) return { kind: 'no-secret', answer: 'no signing secret is good now' }
  const added = new Map<string, string>()
  for (const [header, given] of target.headers) {
    const value = givenValue(given, secrets, at)
    if (value === undefined) return { kind: 'no-secret', answer: `no secret for the header ${header} is good now` }
    added.set(header.toLowerCase(), printable(value))
  }
  const own = { host: new URL(target.url).host, ...ownHeaders(parcel), ...signed }
  return { kind: 'ready', headers: { ...Object.fromEntries(added), ...own } }
}

function ownHeaders({ event, attempt, replayId, traceparent }: Parcel): Record<string, string> {
  const { source, eventType, eventId, payload, headers, proof, possibleDuplicateOf, typeConflict } = event
  return {
    'content-type': printable(headers['content-type'] ?? 'application/octet-stream'),
    ...(headers['content-encoding'] && { 'content-encoding': printable(headers['content-encoding']) }),
    'content-length': `${payload.length}`,
    'user-agent': 'Gatehouse',
    'gatehouse-source': encoded(source),
    'gatehouse-type': encoded(eventType),
    'gatehouse-event': encoded(eventId),
    'gatehouse-attempt': `${attempt}`,
    'gatehouse-proof': proof.level,
    'gatehouse-type-signed': `${proof.typeSigned}`,
    'gatehouse-id-signed': `${proof.idSigned}`,
    ...(possibleDuplicateOf !== undefined && { 'gatehouse-possible-duplicate-of': encoded(possibleDuplicateOf) }),
    ...(typeConflict && { 'gatehouse-type-conflict': 'true' }),
    traceparent,
    ...(replayId !== undefined && { 'gatehouse-replay': encoded(replayId) }),
  }
}

function givenValue(given: string | NamedSecret, secrets: DeliverySecrets, at: Date): string | undefined {
  return typeof given === 'string' ? given : goodSecrets(secrets.get(given.secret) ?? [], at)[0]?.value
}

/** Percent-encoded, so that decoding gives back every text: blanks around a value are none of it (RFC 9110, 5.5). */
function encoded(text: string): string {
  const whole = printable(text.replaceAll('%', '%25'))
  const rest = whole.trimStart()
  const inner = rest.trimEnd()
  return `${'%20'.repeat(whole.length - rest.length)}${inner}${'%20'.repeat(rest.length - inner.length)}`
}

/** Only printable ASCII arrives everywhere (RFC 9110, section 5.5): everything else is percent-encoded. */
function printable(text: string): string {
  return text.toWellFormed().replace(/[^ -~]+/g, encodeURIComponent)
}

/** The id of a message, the same for every try and replay. It has no dot, because in the signed text a dot ends it. */
export function messageId({ id }: Pick<DeliveredEvent, 'id'>): string {
  return `gh_${id}`
}

/**
 * The headers of Standard Webhooks 1.0.0 ("Webhook metadata", "Signature scheme"). Each secret that is good at the time
 * of the try adds a signature. So a receiver may know the old one or the new one while a secret is replaced.
 * @param secrets base64, with or without `whsec_`
 * @returns undefined if no readable secret is good at that time
 */
export function signatureHeaders(
  event: Pick<DeliveredEvent, 'id'> & { readonly payload: Buffer },
  secrets: readonly SharedSecret[],
  at: Date,
): Readonly<Record<string, string>> | undefined {
  const id = messageId(event)
  const timestamp = `${Math.floor(at.getTime() / 1000)}`
  const parts = [`${id}.${timestamp}.`, event.payload]
  const signatures = goodSecrets(secrets, at).flatMap(({ value }) => {
    const key = HMAC_SHA256_WHSEC.readKey(value)
    return key ? [`v1,${macOf('sha256', key.material, parts).toString('base64')}`] : []
  })
  if (signatures.length === 0) return undefined
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
