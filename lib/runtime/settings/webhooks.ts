import type { Rule } from '../config.ts'
import { namedSecrets, type Secret } from './named-secrets.ts'
import { weaknessOf } from './strength.ts'
import { choice, decimal, optional, whole, withDefault } from './values.ts'

/** The secrets that senders prove their identity with (webhooks-10). */
export const webhookSecretSettings = {
  WEBHOOK_SECRETS: withDefault(namedSecrets('provider name'), new Map<string, readonly Secret[]>()),
}

/** The intake's switches and limits (webhooks-7, webhooks-18, webhooks-20, webhooks-24, webhooks-25). */
export const webhookSettings = {
  WEBHOOK_SECURITY_ENABLED: withDefault(choice(['true', 'false']), 'true'),
  WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: withDefault(whole(0, 1_000_000), 100),
  WEBHOOK_PAYMENT_SIGNATURE: optional(choice(['required', 'optional'])),
  WEBHOOK_TOLERANCE_SECONDS: optional(decimal(0, 31_536_000)),
  WEBHOOK_MAX_BODY_BYTES: withDefault(whole(1, 4_194_304), 4_194_304),
}

/** Dropbox issues secrets of 15 characters; no provider issues shorter ones. */
const MINIMUM_LENGTH = 12

interface Shared {
  readonly STAGE: string
  readonly WEBHOOK_SECRETS: ReadonlyMap<string, readonly Secret[]>
}

/** A deployed stage has a secret with at least one sender, and none that others can guess. */
export const strongSecretsDeployed: Rule<Shared> = {
  settings: ['STAGE', 'WEBHOOK_SECRETS'],
  broken: ({ STAGE, WEBHOOK_SECRETS }) => {
    if (STAGE === 'local') return undefined
    if (WEBHOOK_SECRETS.size === 0) return 'WEBHOOK_SECRETS: must be set on a deployed stage'
    const [weak] = [...WEBHOOK_SECRETS].flatMap(([name, secrets]) =>
      secrets.flatMap(({ value }) => weaknessOf(value, MINIMUM_LENGTH) ?? []).map((rule) => `${name} ${rule}`),
    )
    return weak && `WEBHOOK_SECRETS: ${weak}`
  },
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
