import type { NamedSecret } from '../config.ts'
import { goodSecrets, type SharedSecret } from '../webhooks/verify.ts'
import { HIDDEN, isSecretHeader } from './answer.ts'
import { NotSent, type Parcel } from './carrier.ts'
import type { HttpTarget } from './destination.ts'
import { messageId, signatureHeaders, timestampOf } from './signing.ts'

/** The values of DELIVERY_SECRETS by name; what a destination signs with stands under its own name. */
export type DeliverySecrets = ReadonlyMap<string, readonly SharedSecret[]>

interface HttpHeaders {
  readonly headers: Readonly<Record<string, string>>
  /** What only the receiver may know. */
  readonly secrets: readonly string[]
}

interface Addressee {
  readonly name: string
  readonly target: Pick<HttpTarget, 'url' | 'headers'>
}

/** The headers of one try; those of the configuration replace none of the standard ones. @throws NotSent */
export function httpHeaders(parcel: Parcel, { name, target }: Addressee, secrets: DeliverySecrets): HttpHeaders {
  const { event, at } = parcel
  const signed = signatureHeaders(event, secrets.get(name) ?? [], at)
  if (signed === undefined) throw new NotSent('no signing secret is good now')
  const added = new Map<string, string>()
  for (const [header, given] of target.headers) {
    added.set(header.toLowerCase(), printable(givenValue(given, secrets, at, `the header ${header}`)))
  }
  const own = { host: new URL(target.url).host, ...ownHeaders(parcel), ...signed }
  const named = [...target.headers.values()].flatMap((given) => (typeof given === 'string' ? [] : [given.secret]))
  const values = [name, ...named].flatMap((one) => secrets.get(one) ?? []).map(({ value }) => value)
  const known = [
    ...values,
    ...values.map((value) => value.replace(/^whs(?:ec|k)_/, '')),
    ...`${signed['webhook-signature']}`.split(' '),
  ]
  return { headers: { ...Object.fromEntries(added), ...own }, secrets: known }
}

/** The headers of a try that is over, without its secrets. */
export function shownHeaders(parcel: Parcel, { url, headers, auth }: Pick<HttpTarget, 'url' | 'headers' | 'auth'>) {
  const added = [...headers].map(([header, given]) => {
    const isOpen = typeof given === 'string' && !isSecretHeader(header)
    return [header.toLowerCase(), isOpen ? printable(given) : HIDDEN]
  })
  const signed = { 'webhook-id': messageId(parcel.event), 'webhook-timestamp': timestampOf(parcel.at) }
  const authorized = auth && !('mtls' in auth) && { authorization: HIDDEN }
  const own = { host: new URL(url).host, ...ownHeaders(parcel), ...authorized, ...signed, 'webhook-signature': HIDDEN }
  return { ...(Object.fromEntries(added) as Readonly<Record<string, string>>), ...own }
}

function ownHeaders({ event, attempt, replayId, traceparent }: Parcel): Record<string, string> {
  const { source, eventType, eventId, payload, headers, proof, possibleDuplicateOf, typeConflict, repeatsUntil } = event
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
    ...(repeatsUntil && { 'gatehouse-repeats-until': repeatsUntil.toISOString() }),
    traceparent,
    ...(replayId !== undefined && { 'gatehouse-replay': encoded(replayId) }),
  }
}

/** A text of the configuration, or the first good secret of the name in it. @throws NotSent naming what it is for */
export function givenValue(given: string | NamedSecret, secrets: DeliverySecrets, at: Date, what: string): string {
  const value = typeof given === 'string' ? given : goodSecrets(secrets.get(given.secret) ?? [], at)[0]?.value
  if (value === undefined) throw new NotSent(`no secret for ${what} is good now`)
  return value
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
