import { Buffer } from 'node:buffer'
import { ROUTES, type Route } from '../contract/routes.ts'
import { fail } from '../errors.ts'
import type { Clock } from '../platform/clock.ts'
import { type Intake, provenSecret } from '../webhooks/admit.ts'
import { auditRefusal } from '../webhooks/audit.ts'
import { answerChallenge } from '../webhooks/challenges.ts'
import { type Greeting, greetingOf } from '../webhooks/greetings.ts'
import type { Inbox } from '../webhooks/inbox.ts'
import { macOf } from '../webhooks/schemes/methods.ts'
import type { SignedCall } from '../webhooks/schemes/scheme.ts'
import type { Delivery, EventSource } from '../webhooks/source.ts'
import { sourceOf } from '../webhooks/sources/by-name.ts'
import { acknowledge } from './acknowledgement.ts'
import type { Reader } from './endpoint.ts'
import { type HttpEvent, JSON_TYPE, ok, type Reply } from './message.ts'
import { providerIn } from './routing.ts'
import { type Layers, signed, signedCall } from './signed-body.ts'

interface ProviderCall {
  readonly source: EventSource
  readonly delivery: Delivery
  /** What to answer to a call that is no event. */
  readonly greeting: Greeting | undefined
}

/**
 * Reads a webhook of whatever provider the path names.
 * @throws ServiceError as `signed` does, `VALIDATION_FAILED`
 */
export function signedByName(intake: Layers): Reader<ProviderCall> {
  return async (event) => {
    const source = sourceOf(nameIn(ROUTES.webhookProvider, event))
    const delivery = await signed(source, intake)(event)
    const seal = (text: string) => sealed(text, source, signedCall(event, delivery.body, intake.baseUrl), intake)
    const greeting = auditRefusal(intake.audit, source.name, () => greetingOf(source.name, delivery.body, seal))
    return { source, delivery, greeting }
  }
}

/** Takes an event in; what only asks whether the address is ours is answered, and kept nowhere. */
export async function answer({ source, delivery, greeting }: ProviderCall, inbox: Inbox, clock: Clock): Promise<Reply> {
  if (greeting) return greet(greeting)
  return acknowledge(source.name, await inbox.accept(source, delivery), clock.now())
}

/** The text that a provider wants to have back from a GET. */
export function challenged(intake: Intake): Reader<string> {
  return (event) => {
    const name = nameIn(ROUTES.webhookChallenge, event)
    return answerChallenge(name, signedCall(event, Buffer.alloc(0), intake.baseUrl), intake)
  }
}

function nameIn(route: Route, { rawPath }: HttpEvent): string {
  const name = providerIn(route, rawPath)
  if (name !== undefined) return name
  throw fail('ENDPOINT_NOT_FOUND')
}

function sealed(text: string, source: EventSource, call: SignedCall, intake: Intake): string {
  const secret = provenSecret(source, call, intake)
  if (!secret) throw fail('SIGNATURE_INVALID')
  return macOf('sha256', secret.value, [text]).toString('hex')
}

function greet({ body }: Greeting): Reply {
  return body === undefined ? { statusCode: 204, headers: JSON_TYPE } : ok(body)
}
