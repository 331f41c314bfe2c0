import type { Log } from '../runtime/log.ts'
import type { Intake } from '../webhooks/admit.ts'
import type { RefusalCounter } from '../webhooks/refusals/counter.ts'
import { shownHeaders } from '../webhooks/refusals/headers.ts'
import { type RefusalSample, UNKNOWN_SOURCE } from '../webhooks/refusals/refusal.ts'
import { refusalVerdict } from '../webhooks/refusals/verdict.ts'
import { WebhookRefused } from '../webhooks/refusals/webhook-refused.ts'
import { addressOf, type Trust } from './client-address.ts'
import type { EndpointContext } from './endpoint.ts'
import { type HttpEvent, sentBytes, sentSize } from './message.ts'
import { signedCall } from './signed-body.ts'

interface KeepingParts {
  readonly intake: Pick<Intake, 'baseUrl' | 'clock' | 'secrets' | 'toleranceSeconds'> & Trust
  readonly counter: RefusalCounter
  readonly log: Log
}

/** Counts what the intake refuses, and keeps of some calls what operators want to know. Other failures are not its. */
export function keepingRefusals({ intake, counter, log }: KeepingParts): NonNullable<EndpointContext['refused']> {
  async function sampleOf(refused: WebhookRefused, event: HttpEvent): Promise<RefusalSample> {
    const { name, scheme, lateSeconds, keptHeaders } = refused.sender
    const { secrets, clock, toleranceSeconds, baseUrl } = intake
    const receiver = { name, scheme, lateSeconds, toleranceSeconds, secrets: secrets.current, now: clock.now() }
    const size = sentSize(event)
    const call = () => signedCall(event, sentBytes(event), baseUrl)
    return {
      verdict: await refusalVerdict(refused, { size, call, receiver }, log),
      address: addressOf(event, intake),
      size,
      headers: shownHeaders(event.headers, keptHeaders),
    }
  }

  return (error, event) => {
    if (!(error instanceof WebhookRefused)) return undefined
    const { sender, reason } = error
    const source = intake.secrets.current.has(sender.name) ? sender.name : UNKNOWN_SOURCE
    return counter.note({ source, reason }, () => sampleOf(error, event))
  }
}
