import { Buffer } from 'node:buffer'
import type { Route } from '../contract/route.ts'
import { fail } from '../errors.ts'
import type { Clock } from '../runtime/time.ts'
import { demandSecrets, type Intake, isAwaited, provenSecret } from '../webhooks/admit.ts'
import { answerChallenge, confirmationOf, echoOf, handshakeOf, isPing } from '../webhooks/handshake.ts'
import type { Inbox } from '../webhooks/inbox.ts'
import type { Handshake, Provider } from '../webhooks/provider.ts'
import { macOf } from '../webhooks/schemes/methods.ts'
import type { SignedCall } from '../webhooks/schemes/scheme.ts'
import { isTaken, TOKEN_BODY_BYTES, tokenOf } from '../webhooks/setup.ts'
import type { EventSource, VerifiedCall } from '../webhooks/source.ts'
import type { Catalog } from '../webhooks/sources/catalog.ts'
import { addressOf, type HttpEvent, JSON_TYPE, ok, type Reply, sentBytes, sentSize } from './message.ts'
import type { Reader } from './middleware/validate.ts'
import { providerIn } from './routing.ts'
import {
  acknowledge,
  admittedRotating,
  type Layers,
  limited,
  plainText,
  signedCall,
  webhookReceived,
} from './webhook-call.ts'

type ProviderCall =
  | {
      readonly source: EventSource
      readonly delivery: VerifiedCall
      readonly acknowledgement: Provider['acknowledgement']
    }
  | { readonly handshake: Reply }

/**
 * Reads a webhook of the provider in the path.
 * @throws ServiceError as `signed` does, `VALIDATION_FAILED`, `UNAVAILABLE`
 */
export function signedByName(route: Route, intake: Layers, { sourceOf, providerOf }: Catalog): Reader<ProviderCall> {
  return async (event) => {
    const source = sourceOf(nameIn(route, event))
    const provider = providerOf(source.name)
    await limited(source, event, intake)
    const taken = await takenOver(source, provider, event, intake)
    if (taken) return { handshake: taken }
    const secrets = demandSecrets(source, event.headers, intake)
    const unsigned = answerUnsigned(provider, event)
    if (unsigned) return { handshake: unsigned }
    const delivery = await admittedRotating(source, event, secrets, intake)
    const confirmation = confirmed(source, provider, delivery, intake)
    if (confirmation !== undefined) return confirmation
    const hmac = (text: string) => hmacOf(text, source, signedCall(event, delivery.body, intake.baseUrl), intake)
    const handshake = handshakeOf(provider, delivery.body, hmac)
    const { acknowledgement } = provider
    return handshake ? { handshake: replyTo(handshake) } : { source, delivery, acknowledgement }
  }
}

/** The answer to the call that hands a token over while a set-up waits for it; undefined for any other. */
async function takenOver(
  { name }: EventSource,
  provider: Provider,
  event: HttpEvent,
  { setups, clock, ...intake }: Layers,
): Promise<Reply | undefined> {
  if (!setups || !provider.setup) return undefined
  const { headers } = event
  const found = tokenOf(provider, {
    headers,
    body: sentSize(event) <= TOKEN_BODY_BYTES ? sentBytes(event) : undefined,
  })
  if (!found || !(await isTaken({ setups, clock }, name, found, addressOf(event, intake)))) return undefined
  const { place, token } = found
  if ('member' in place) return ok({ [place.member]: token })
  const reply = webhookReceived()
  return { ...reply, headers: { ...reply.headers, [place.header]: token } }
}

/** The answer to an unsigned call that changes nothing; undefined for any other. */
function answerUnsigned(provider: Provider, event: HttpEvent): Reply | undefined {
  if (isPing(provider, event.headers, shortTextOf(event))) return webhookReceived()
  const echo = echoOf(provider, `?${event.rawQueryString}`, Boolean(event.body))
  return echo === undefined ? undefined : plainText(echo)
}

/** Does what a signed call asks for in place of being an event; undefined for an event. */
function confirmed(
  source: EventSource,
  provider: Provider,
  { body }: VerifiedCall,
  { keys }: Intake,
): Promise<ProviderCall> | undefined {
  const request = keys && confirmationOf(provider, body)
  return request && keys.confirm(source.name, request).then(() => ({ handshake: webhookReceived() }))
}

/** Accepts an event; a handshake is answered and stored nowhere. */
export async function answer(call: ProviderCall, inbox: Inbox, clock: Clock): Promise<Reply> {
  if ('handshake' in call) return call.handshake
  const { source, delivery, acknowledgement } = call
  return acknowledge(source.name, acknowledgement, inbox.accept(source, delivery), () => clock.now())
}

/**
 * The text that a provider expects back from a GET. By HEAD a sender only asks whether its calls are awaited: no secret
 * is proven, and nothing is read or stored (webhooks-9).
 * @throws ServiceError `ENDPOINT_NOT_FOUND` for a HEAD of a source without a secret; as `answerChallenge` does
 */
export function challenged(route: Route, intake: Intake, { providerOf, sourceOf }: Catalog): Reader<string> {
  return (event) => {
    const name = nameIn(route, event)
    if (event.requestContext.http.method === 'HEAD') {
      if (isAwaited(sourceOf(name), event.headers, intake)) return ''
      throw fail('ENDPOINT_NOT_FOUND')
    }
    return answerChallenge(name, providerOf(name), signedCall(event, Buffer.alloc(0), intake.baseUrl), intake)
  }
}

function nameIn(route: Route, { rawPath }: HttpEvent): string {
  const name = providerIn(route, rawPath)
  if (name !== undefined) return name
  throw fail('ENDPOINT_NOT_FOUND')
}

function hmacOf(text: string, source: EventSource, call: SignedCall, intake: Intake): string {
  const secret = provenSecret(source, call, intake)
  if (!secret) throw fail('SIGNATURE_INVALID')
  return macOf('sha256', secret.value, [text]).toString('hex')
}

function replyTo(handshake: Handshake): Reply {
  if ('text' in handshake) return plainText(handshake.text)
  return handshake.body === undefined ? { statusCode: 204, headers: JSON_TYPE } : ok(handshake.body)
}

/** More than any ping takes, in either form that a gateway passes on. */
const PING_LENGTH = 128

function shortTextOf({ body, isBase64Encoded }: HttpEvent): string {
  if (!body || body.length > PING_LENGTH) return ''
  return isBase64Encoded ? Buffer.from(body, 'base64').toString() : body
}
