import { Buffer } from 'node:buffer'
import type { Clock } from '../../runtime/clock.ts'
import type { Current } from '../../runtime/current.ts'
import type { Log } from '../../runtime/log.ts'
import type { Metrics } from '../../runtime/metrics.ts'
import { macOf } from '../schemes/methods.ts'
import { goodSecrets, type SharedSecret } from '../verify.ts'
import { CANARY } from './name.ts'

/** The public address that receives the webhooks of the canary. */
export interface CanaryAddress {
  /**
   * @returns the status of the answer
   * @throws Error for a failure of the name or the connection, or when the time is over
   */
  post(headers: Readonly<Record<string, string>>, body: Buffer): Promise<number>
}

export interface CanaryParts {
  readonly address: CanaryAddress
  /** By the name of the source. */
  readonly secrets: Current<ReadonlyMap<string, readonly SharedSecret[]>>
  readonly clock: Clock
  readonly metrics: Metrics
  readonly log: Log
}

/** `idle`: no secret is configured, so nothing was sent. */
export type CanaryResult = 'answered' | 'unanswered' | 'idle'

/** Always the same: all but the first are duplicates, so no row is added and nothing is run or delivered. */
const EVENT = { eventId: CANARY, eventType: 'canary.sent', timestamp: '2026-01-01T00:00:00Z', source: CANARY }

/** Sends one signed webhook, and returns whether it was accepted. Never rejects. */
export function createCanary({ address, secrets, clock, metrics, log }: CanaryParts): () => Promise<CanaryResult> {
  let hasSaidIdle = false

  function idle(): CanaryResult {
    if (!hasSaidIdle) log.info('canary idle: WEBHOOK_SECRETS has no secret for it', { source: CANARY })
    hasSaidIdle = true
    return 'idle'
  }

  async function send({ value }: SharedSecret): Promise<CanaryResult> {
    try {
      const status = await address.post(...signed(value, clock.now()))
      if (status >= 200 && status < 300) return 'answered'
      log.error('canary unanswered', { status })
    } catch (cause) {
      log.error('canary unanswered', { cause })
    }
    return 'unanswered'
  }

  return async () => {
    const [secret] = goodSecrets(secrets.current.get(CANARY) ?? [], clock.now())
    const result = secret ? await send(secret) : idle()
    // Also for 0: without a value the alarm goes off, because then nothing was sent.
    metrics.measure('CanaryUnanswered', result === 'unanswered' ? 1 : 0)
    return result
  }
}

/** In the form of the generic scheme. */
function signed(secret: string, at: Date): [Readonly<Record<string, string>>, Buffer] {
  const body = Buffer.from(JSON.stringify(EVENT))
  const seconds = String(Math.floor(at.getTime() / 1000))
  const signature = macOf('sha256', secret, [`${seconds}.`, body]).toString('hex')
  const headers = { 'content-type': 'application/json', 'x-timestamp': seconds, 'x-signature': `sha256=${signature}` }
  return [headers, body]
}
