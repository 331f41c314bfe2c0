import type { Buffer } from 'node:buffer'
import { ServiceError } from '../errors.ts'
import { networkOf } from '../runtime/address.ts'
import { toLocalDateTime } from '../runtime/time.ts'
import { calledFrom } from '../runtime/trace.ts'
import { admit, admitRotating, demandSecrets, type Intake, type ProofSecrets } from '../webhooks/admit.ts'
import { refusalIn } from '../webhooks/audit.ts'
import type { Acceptance } from '../webhooks/inbox.ts'
import type { Provider } from '../webhooks/provider.ts'
import { payForFetch, type Throttling, throttle } from '../webhooks/rate/limiter.ts'
import type { SignedCall } from '../webhooks/schemes/scheme.ts'
import type { SetupStore } from '../webhooks/setup.ts'
import type { EventSource, VerifiedCall } from '../webhooks/source.ts'
import {
  addressOf,
  boundedBytes,
  codingOf,
  type HttpEvent,
  ok,
  queryOf,
  type Reply,
  readBody,
  TEXT_TYPE,
  type Trust,
} from './message.ts'
import type { Reader } from './middleware/validate.ts'
import { webhookFormat } from './routing.ts'

/** What is kept of every webhook's headers, beside what its source needs; credentials, tokens and signatures never are. */
const KEPT_HEADERS = ['content-type', 'user-agent', 'x-request-id']

/** What the first layers need. */
export interface Layers extends Intake, Throttling, Trust {
  /** For senders that hand a token over; without it, none is taken. */
  readonly setups?: SetupStore
}

/**
 * Reads a webhook through the first layers (webhooks-5): the rate limiter, then signature and timestamp
 * over the bytes as they were sent. Processing and audit log follow in the inbox.
 * @throws ServiceError `RATE_LIMIT_EXCEEDED`, `CODING_UNSUPPORTED`, `PAYLOAD_TOO_LARGE`, or as the source's scheme
 * refuses
 */
export function signed(source: EventSource, intake: Layers): Reader<VerifiedCall> {
  return (event) => {
    const asked = limited(source, event, intake)
    return asked instanceof Promise
      ? asked.then(() => admitted(source, event, intake))
      : admitted(source, event, intake)
  }
}

/** The first layer. It returns a promise only if it must ask the counter. @throws ServiceError `RATE_LIMIT_EXCEEDED` */
export function limited(source: EventSource, event: HttpEvent, intake: Layers): void | Promise<void> {
  const address = addressOf(event, intake)
  calledFrom(address)
  return throttle(source, address, intake)
}

/**
 * The layers behind the rate limiter.
 * @throws ServiceError `CODING_UNSUPPORTED`, `PAYLOAD_TOO_LARGE`, or as the source's scheme refuses
 */
function admitted(source: EventSource, event: HttpEvent, intake: Intake): VerifiedCall {
  const secrets = demandSecrets(source, event.headers, intake)
  try {
    const proof = admit(source, received(source, event, intake), secrets, intake)
    return { ...proof, headers: keptOf(event, source.keptHeaders) }
  } catch (error) {
    throw refusalIn(error, intake.audit, source)
  }
}

/**
 * As {@link admitted}, for providers that may rotate their keys. It waits only if a key must be fetched.
 * @throws ServiceError also `UNAVAILABLE`
 */
export async function admittedRotating(
  source: EventSource,
  event: HttpEvent,
  secrets: ProofSecrets,
  intake: Layers,
): Promise<VerifiedCall> {
  const address = addressOf(event, intake)
  const caller = { network: networkOf(address), pay: () => payForFetch(source, address, intake) }
  try {
    const proof = admitRotating(source, received(source, event, intake), secrets, intake, caller)
    return { ...(proof instanceof Promise ? await proof : proof), headers: keptOf(event, source.keptHeaders) }
  } catch (error) {
    throw refusalIn(error, intake.audit, source)
  }
}

function received(source: EventSource, event: HttpEvent, intake: Intake): SignedCall {
  const bytesOf = source.scheme.readsBody ? readBody : boundedBytes
  const maxBodyBytes = intake.own?.[source.name]?.maxBodyBytes
  const body = bytesOf(event, maxBodyBytes ?? intake.maxBodyBytes)
  return { ...signedCall(event, body, intake.baseUrl), maxBodyBytes }
}

/** The call as its provider made it; some providers sign the address, as it was configured with them. */
export function signedCall(event: HttpEvent, body: Buffer, { origin }: URL): SignedCall {
  const { headers, rawPath, requestContext } = event
  return { method: requestContext.http.method, url: `${origin}${rawPath}${queryOf(event)}`, headers, body }
}

function keptOf({ headers }: HttpEvent, others: readonly string[] = []): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const name of [...KEPT_HEADERS, ...others]) if (headers[name] !== undefined) kept[name] = headers[name]
  const coding = codingOf(headers)
  return coding === undefined ? kept : { ...kept, 'content-encoding': coding }
}

const MESSAGES: Record<Acceptance, string> = {
  processed: 'Webhook processed successfully',
  received: 'Webhook received',
  duplicate: 'Duplicate event ignored',
}

/** The answer in JSON (webhooks-37). */
export function webhookResponse(acceptance: Acceptance, now: Date): Reply {
  return ok({ success: true, message: MESSAGES[acceptance], timestamp: toLocalDateTime(now) })
}

/** The answer in plain text, unless the provider requires another one (webhooks-38). */
export function webhookReceived(wanted: Provider['acknowledgement'] = 'Webhook received'): Reply {
  return typeof wanted === 'string' ? plainText(wanted) : ok(wanted)
}

/** Answers as the endpoint of that name would. */
export async function acknowledge(
  name: string,
  wanted: Provider['acknowledgement'],
  acceptance: Promise<Acceptance>,
  now: () => Date,
): Promise<Reply> {
  return webhookFormat(name) === 'webhook'
    ? webhookResponse(await acceptance, now())
    : acknowledgeStored(acceptance, wanted)
}

/**
 * Acknowledges an event once it is stored: if its handler fails, the provider could not repair that.
 * @throws the error because of which it is not stored
 */
export async function acknowledgeStored(
  acceptance: Promise<Acceptance>,
  wanted?: Provider['acknowledgement'],
): Promise<Reply> {
  try {
    await acceptance
  } catch (error) {
    if (!(error instanceof ServiceError && error.is('PROCESSING_FAILED'))) throw error
  }
  return webhookReceived(wanted)
}

export function plainText(body: string): Reply {
  return { statusCode: 200, headers: TEXT_TYPE, body }
}
