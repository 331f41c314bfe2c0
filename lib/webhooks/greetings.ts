import { Buffer } from 'node:buffer'
import * as z from 'zod/mini'
import { invalid } from '../errors.ts'
import { pick, valueAt } from './pick.ts'
import { type Headers, isUnsigned } from './schemes/scheme.ts'
import type { EventSource } from './source.ts'
import { parsePayload } from './sources/find.ts'
import type { VerifiedBody } from './verify.ts'

/** What a provider wants to hear before it sends events; without a body, nothing but that it was heard. */
export interface Greeting {
  readonly body?: object
}

/** The hexadecimal HMAC-SHA256 of a text, under the secret that the call proves. */
type Seal = (text: string) => string

/** Undefined for a payload that is an event. */
type Greet = (payload: unknown, seal: Seal) => Greeting | undefined

const GREETS: ReadonlyMap<string, Greet> = new Map<string, Greet>([
  ['discord', greetDiscord],
  ['slack', greetSlack],
  ['zoom', greetZoom],
])

/**
 * The answer to a signed call that is no event: the provider only wants to know whether the address is ours.
 * @throws ServiceError `VALIDATION_FAILED`
 */
export function greetingOf(name: string, body: VerifiedBody, seal: Seal): Greeting | undefined {
  return GREETS.get(name)?.(parsePayload(body), seal)
}

/** What a provider sends unsigned to see whether anybody answers; it changes nothing. */
const PINGS: ReadonlyMap<string, RegExp> = new Map([
  /** woocommerce, `class-wc-webhook.php`, `deliver_ping`: any answer but 200 keeps the webhook from becoming active. */
  ['woocommerce', /^webhook_id=\d{1,20}$/],
])

/** Whether an unsigned call is such a ping: its body alone tells. */
export function isPing(
  { name, scheme }: Pick<EventSource, 'name' | 'scheme'>,
  headers: Headers,
  body: string,
): boolean {
  return isUnsigned(scheme, headers) && PINGS.get(name)?.test(body) === true
}

/**
 * discord.com/developers/docs: "Receiving and Responding" (interactions, whose PING has the type 1) and "Webhook Events"
 * (whose PING has the type 0, and whose events, with the type 1, hold an `event`).
 */
function greetDiscord(payload: unknown): Greeting | undefined {
  const type = valueAt(payload, ['event']) === undefined ? pick(payload, ['type']) : undefined
  if (type === '0') return {}
  return type === '1' ? { body: { type: 1 } } : undefined
}

/** api.slack.com/events/url_verification. */
function greetSlack(payload: unknown): Greeting | undefined {
  if (pick(payload, ['type']) !== 'url_verification') return undefined
  return { body: { challenge: challengeAt(payload, ['challenge']) } }
}

/** developers.zoom.us/docs/api/webhooks, "Validate your webhook endpoint". */
function greetZoom(payload: unknown, seal: Seal): Greeting | undefined {
  if (pick(payload, ['event']) !== 'endpoint.url_validation') return undefined
  const plainToken = challengeAt(payload, ['payload', 'plainToken'])
  return { body: { plainToken, encryptedToken: seal(plainToken) } }
}

function challengeAt(payload: unknown, path: readonly string[]): string {
  return readChallenge(valueAt(payload, path), path)
}

const MAXIMUM_BYTES = 1024

const challenge = z.string('must be a text').check(
  z.minLength(1, 'must not be empty'),
  z.refine((text) => Buffer.byteLength(text) <= MAXIMUM_BYTES, `must be at most ${MAXIMUM_BYTES} bytes`),
)

/**
 * What a caller wants to have back.
 * @throws ServiceError `VALIDATION_FAILED`
 */
export function readChallenge(given: unknown, path: readonly string[]): string {
  const parsed = z.safeParse(challenge, given)
  if (parsed.success) return parsed.data
  throw invalid(parsed.error.issues.map(({ message }) => ({ path, message })))
}
