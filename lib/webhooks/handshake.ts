import { fail, invalid } from '../errors.ts'
import { admit, demandSecrets, type Intake } from './admit.ts'
import { challengeQuery, readChallenge } from './challenge.ts'
import { parsePayload } from './form-payload.ts'
import { attempt } from './json.ts'
import type { Handshake, Provider } from './provider.ts'
import type { KeyRequest } from './schemes/rotation.ts'
import { type Headers, isUnsigned, type SignedCall } from './schemes/scheme.ts'
import type { VerifiedBody } from './verify.ts'

/**
 * The answer to a signed call that is a handshake, not an event: the provider checks that the address is ours. One whose
 * challenge cannot be given back is stored like an event.
 */
export function handshakeOf(
  { handshake }: Provider,
  body: VerifiedBody,
  hmac: (text: string) => string,
): Handshake | undefined {
  return handshake && attempt(() => handshake(parsePayload(body), hmac)).payload
}

/** Whether an unsigned call is a ping, which only checks that the address answers; only the body decides. */
export function isPing({ scheme, ping }: Provider, headers: Headers, body: string): boolean {
  return isUnsigned(scheme, headers) && ping?.test(body) === true
}

/**
 * The text that a provider expects back in answer to an unsigned POST, which holds nothing else; undefined for any other
 * call.
 * @throws ServiceError `VALIDATION_FAILED`
 */
export function echoOf({ echo }: Provider, url: string, hasBody: boolean): string | undefined {
  const query = echo === undefined || hasBody ? undefined : challengeQuery(url)
  return echo !== undefined && query?.has(echo) ? readChallenge(query.get(echo), [echo]) : undefined
}

/** The request that a signed call asks for, if it is no event. */
export function confirmationOf({ confirmation }: Provider, body: VerifiedBody): KeyRequest | undefined {
  return confirmation && attempt(() => confirmation(parsePayload(body))).payload
}

/**
 * The text that a provider expects back in answer to a GET.
 * @throws ServiceError `SIGNATURE_INVALID` for a provider without a secret and for a caller without the token;
 * `VALIDATION_FAILED`
 */
export function answerChallenge(
  name: string,
  { challenge = refuse() }: Provider,
  call: SignedCall,
  intake: Intake,
): string {
  const { scheme, parameter, query: wanted } = challenge
  const sender = scheme && { name: `${name}.verify`, scheme }
  if (sender) admit(sender, call, demandSecrets(sender, call.headers, intake), intake)
  else if (!intake.secrets.current.has(name)) refuse()
  const query = challengeQuery(call.url)
  const wrong = Object.entries(wanted).filter(([key, value]) => query.get(key) !== value)
  if (wrong.length > 0) throw invalid(wrong.map(([key, value]) => ({ path: [key], message: `must be ${value}` })))
  return readChallenge(query.get(parameter), [parameter])
}

function refuse(): never {
  throw fail('SIGNATURE_INVALID')
}
