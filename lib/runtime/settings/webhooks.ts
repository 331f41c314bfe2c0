import { choice, decimal, optional, type Rule, whole, withDefault } from '../config.ts'

/** The intake's switches and limits (webhooks-7, webhooks-18, webhooks-20, webhooks-24, webhooks-25). */
export const webhookSettings = {
  /** `false`, on the local stage only, skips rate limit, signatures and timestamps */
  WEBHOOK_SECURITY_ENABLED: withDefault(choice(['true', 'false']), 'true'),
  /**
   * calls per client address and endpoint, unless a [source](sources.md) has a limit of its own; 0, on the local stage
   * only, lets all through
   */
  WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: withDefault(whole(0, 1_000_000), 100),
  /**
   * whether a payment has to be signed; `optional` on the local stage only @default `optional` locally, else
   * `required`
   */
  WEBHOOK_PAYMENT_SIGNATURE: optional(choice(['required', 'optional'])),
  /** How far the time of a call may be from now; on a deployed stage at most 3600 @default each scheme's own */
  WEBHOOK_TOLERANCE_SECONDS: optional(decimal(0, 31_536_000)),
  /** A larger body is answered with 413 */
  WEBHOOK_MAX_BODY_BYTES: withDefault(whole(1, 4_194_304), 4_194_304),
}

interface Security {
  readonly STAGE: string
  readonly WEBHOOK_SECURITY_ENABLED: string
  readonly WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: number
  readonly WEBHOOK_PAYMENT_SIGNATURE: string | undefined
  readonly WEBHOOK_TOLERANCE_SECONDS: number | undefined
}

/** In seconds: longer than any scheme's own tolerance but PayPal's. */
const MAXIMUM_TOLERANCE = 3600

/** A rule for deployed stages: only a local run may go without rate limit, signature and timestamp checks. */
function deployed<K extends keyof Security>(name: K, isSafe: (value: Security[K]) => boolean, rule: string) {
  return {
    settings: ['STAGE', name],
    broken: ({ STAGE, [name]: value }: Pick<Security, 'STAGE' | K>) =>
      STAGE === 'local' || isSafe(value as Security[K]) ? undefined : `${name}: ${rule} on a deployed stage`,
  } satisfies Rule<Pick<Security, 'STAGE' | K>>
}

export const securityDeployed: readonly Rule<Security>[] = [
  deployed('WEBHOOK_SECURITY_ENABLED', (text) => text === 'true', 'must be true'),
  deployed('WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE', (limit) => limit > 0, 'must be at least 1'),
  deployed('WEBHOOK_PAYMENT_SIGNATURE', (text) => text !== 'optional', 'must be required'),
  deployed(
    'WEBHOOK_TOLERANCE_SECONDS',
    (seconds = 0) => seconds <= MAXIMUM_TOLERANCE,
    `must be at most ${MAXIMUM_TOLERANCE}`,
  ),
]
