import { Buffer } from 'node:buffer'
import type { NamedSecret } from '../../config.ts'
import { failureOf, NotSent } from '../../deliver/carrier.ts'
import type { StageAuth } from '../../deliver/destination.ts'
import { type DeliverySecrets, givenValue } from '../../deliver/http-headers.ts'
import { certificateIn } from '../../deliver/signing.ts'
import { fromUtf8 } from '../../runtime/text.ts'
import type { Clock } from '../../runtime/time.ts'
import { goodSecrets } from '../../webhooks/verify.ts'
import type { NetworkReach } from './guard.ts'
import { guardedPost, type Surroundings } from './post.ts'

/** The credentials of one try. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>
  /** A private key and its certificates in PEM, for the handshake. */
  readonly identity?: string
  /** What only the destination may know. */
  readonly secrets: readonly string[]
}

/**
 * What a destination asks for.
 * @param refused what it answered with 401
 * @returns undefined if there are no others than those
 * @throws NotSent
 */
export type Authenticate = (
  secrets: DeliverySecrets,
  signal: AbortSignal,
  refused?: Credentials,
) => Promise<Credentials | undefined>

/** @param reach where the token endpoint may be */
export function authenticationOf(
  auth: StageAuth,
  reach: NetworkReach,
  clock: Clock,
  surroundings?: Surroundings,
): Authenticate {
  if ('oauth2' in auth) return clientCredentials(auth.oauth2, reach, clock, surroundings)
  return async (secrets, _, refused) => {
    if (refused) return undefined
    if ('mtls' in auth) return { headers: {}, identity: identityIn(secrets, auth.mtls, clock.now()), secrets: [] }
    const password = givenValue(auth.basic.password, secrets, clock.now(), 'auth')
    const authorization = basic(givenValue(auth.basic.username, secrets, clock.now(), 'auth'), password)
    return { headers: { authorization }, secrets: [password, authorization.slice('Basic '.length)] }
  }
}

function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

/** The first one whose certificate has not ended. */
function identityIn(secrets: DeliverySecrets, { secret }: NamedSecret, at: Date): string {
  const given = goodSecrets(secrets.get(secret) ?? [], at)
  const good = given.find(({ value }) => Number(certificateIn(value)?.endsAt) > at.getTime())
  if (good) return good.value
  const [last] = given
  const end = last && certificateIn(last.value)?.endsAt
  throw new NotSent(end ? `the client certificate ended at ${end.toISOString()}` : 'no secret for auth is good now')
}

/** In milliseconds: how long before its end a token is not used any more, for how long one without an end, and any. */
const [MARGIN, USUAL, LONGEST] = [60_000, 300_000, 86_400_000]

const MOST_BYTES = 65_536

interface Token extends Credentials {
  readonly until: number
}

/** One token at a time, for all tries of this process. */
function clientCredentials(
  { tokenUrl, clientId, secret, scope }: Extract<StageAuth, { readonly oauth2: unknown }>['oauth2'],
  reach: NetworkReach,
  clock: Clock,
  surroundings?: Surroundings,
): Authenticate {
  const post = guardedPost(new URL(tokenUrl), reach, surroundings)
  let kept: Token | undefined
  let asking: Promise<Token> | undefined

  async function ask(secrets: DeliverySecrets, signal: AbortSignal): Promise<Token> {
    const password = givenValue(secret, secrets, clock.now(), 'auth')
    const body = Buffer.from(`${new URLSearchParams({ grant_type: 'client_credentials', ...(scope && { scope }) })}`)
    const headers = {
      authorization: basic(formEncoded(givenValue(clientId, secrets, clock.now(), 'auth')), formEncoded(password)),
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': `${body.length}`,
      'user-agent': 'Gatehouse',
    }
    const answer = await post({ headers, body, signal, mostRead: MOST_BYTES }).catch((error) => {
      throw noToken(failureOf(error).answer)
    })
    if (answer.status !== 200) throw noToken(`${answer.status}`)
    const { value, seconds } = tokenIn(answer.body)
    const life = seconds >= 0 ? Math.min(seconds * 1000, LONGEST) : USUAL
    const until = clock.now().getTime() + life - MARGIN
    kept = { headers: { authorization: `Bearer ${value}` }, secrets: [value, password], until }
    return kept
  }

  return async (secrets, signal, refused) => {
    if (kept && kept !== refused && clock.now().getTime() < kept.until) return kept
    asking ??= ask(secrets, signal).finally(() => {
      asking = undefined
    })
    return asking
  }
}

/** RFC 6749, section 2.3.1 and appendix B. */
function formEncoded(text: string): string {
  return `${new URLSearchParams({ '': text })}`.slice(1)
}

function noToken(why: string): NotSent {
  return new NotSent(`token endpoint: ${why}`)
}

/** RFC 6749, section 5.1; some servers write `expires_in` as a text. @throws NotSent */
function tokenIn(bytes: Buffer): { readonly value: string; readonly seconds: number } {
  const { access_token: value, token_type: type, expires_in: life } = Object(parsedJson(bytes))
  if (typeof value !== 'string' || !/^[!-~]{1,16384}$/.test(value) || !/^bearer$/i.test(String(type)))
    throw noToken('its answer has no bearer token')
  return { value, seconds: Number(life ?? Number.NaN) }
}

function parsedJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(fromUtf8(bytes) ?? '')
  } catch {
    return undefined
  }
}
