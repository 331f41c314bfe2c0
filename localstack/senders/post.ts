import { fail } from '../../lib/errors.ts'
import { loadConfig } from '../../lib/runtime/config.ts'
import { webhookSettings } from '../../lib/runtime/settings/webhooks.ts'
import type { SampleMessage } from '../../lib/webhooks/sample.ts'
import type { SignedCall } from '../../lib/webhooks/schemes/scheme.ts'
import type { EventSource } from '../../lib/webhooks/source.ts'
import { verify } from '../../lib/webhooks/verify.ts'
import { askAt } from '../api-client.ts'
import type { LocalRun } from '../local-run.ts'
import type { SendOrder } from '../send-options.ts'
import { credentialsOf } from './credentials.ts'
import { eventIdOf } from './event-id.ts'
import { prove } from './prove.ts'
import type { SenderCredentials } from './signers.ts'

/** The result of one call. */
export interface PostResult {
  readonly eventId: string
  readonly status: number
  readonly expected: number
  readonly milliseconds: number
  readonly text: string
}

/**
 * Sends messages of an order, each signed when it is sent.
 * @returns a function that sends one; `status` is the expected status if its proof holds
 * @throws StartError without the provider's secret, later when nothing answers
 */
export function poster({ name, sender, sources, isForged, age, url }: SendOrder, run: LocalRun) {
  const address = new URL(`/webhooks/${name}`, url ?? run.address)
  const ask = askAt(address)
  const credentials = credentialsOf(name, run)
  const expectedOf = verdicts(sources.sourceOf(name), credentials)

  return async (message: SampleMessage, status: number): Promise<PostResult> => {
    const signedAt = new Date(Date.now() - age * 1000)
    const call = prove(message, { name, sender, sources, credentials, url: address.href, signedAt, isForged })
    const expected = expectedOf(call, status)
    const start = performance.now()
    const { pathname, search } = new URL(call.url)
    const response = await ask(`${pathname}${search}`, {
      method: call.method,
      headers: call.headers,
      body: new Uint8Array(call.body),
    })
    const text = await response.text()
    const milliseconds = Math.round(performance.now() - start)
    return { eventId: eventIdOf(name, call, sources), status: response.status, expected, milliseconds, text }
  }
}

/** The expected answers of the service: it checks the proof before the event. */
function verdicts({ scheme, lateSeconds }: EventSource, { secret }: SenderCredentials) {
  const { WEBHOOK_TOLERANCE_SECONDS: toleranceSeconds } = loadConfig({
    WEBHOOK_TOLERANCE_SECONDS: webhookSettings.WEBHOOK_TOLERANCE_SECONDS,
  })
  return (call: SignedCall, status: number): number => {
    const asked = { scheme, secrets: [{ value: secret }], now: new Date(), toleranceSeconds, lateSeconds }
    const verdict = verify(call, asked)
    return verdict.ok ? status : fail(scheme.refusals[verdict.refusal]).status
  }
}
