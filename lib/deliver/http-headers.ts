import type { NamedSecret } from '../config.ts'
import { goodSecrets, type SharedSecret } from '../webhooks/verify.ts'
import type { Parcel } from './carrier.ts'
import type { HttpTarget } from './destination.ts'
import { signatureHeaders } from './sign.ts'

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
