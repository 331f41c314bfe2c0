import * as z from 'zod/mini'
import type { Rule } from '../config.ts'
import { weaknessOf } from './strength.ts'
import { choice, decimal, optional, parsed, whole, withDefault } from './values.ts'

/** A shared secret and the time in which it is good; both ends are optional. */
export interface Secret {
  readonly value: string
  /** What records call it: given, or its name and place in the list, `stripe#1`. */
  readonly label: string
  readonly notBefore?: Date
  readonly notAfter?: Date
}

const instant = z.pipe(
  z.string().check(z.iso.datetime({ offset: true, error: 'times must be ISO 8601 with a zone' })),
  z.transform((text) => new Date(text)),
)

const secret = z.union([
  z.pipe(
    z.string().check(z.minLength(1)),
    z.transform((value) => ({ value })),
  ),
  z.strictObject({
    value: z.string().check(z.minLength(1)),
    notBefore: z.exactOptional(instant),
    notAfter: z.exactOptional(instant),
    label: z.exactOptional(
      z
        .string()
        .check(
          z.regex(
            /^[\w .-][\w .#-]{0,63}$/,
            'labels have 1 to 64 letters, digits, spaces, . # - or _, and no # in front',
          ),
        ),
    ),
  }),
])

const sourceName = z.string().check(z.regex(/^[a-z0-9][a-z0-9._-]{0,63}$/))

const secretsByName = z.record(
  sourceName,
  z.union([
    z.strictObject({ sameAs: sourceName }),
    z.pipe(
      secret,
      z.transform((one) => [one]),
    ),
    z.array(secret).check(z.minLength(1)),
  ]),
)

type Given = z.output<typeof secretsByName>

function secrets(text: string): ReadonlyMap<string, readonly Secret[]> {
  const given = z.safeParse(secretsByName, parseJson(text))
  if (!given.success) throw new Error('must map each provider name to a secret or a list of secrets')
  demandDistinct(given.data)
  return new Map(
    Object.keys(given.data).map((name) => [
      name,
      listedFor(name, given.data).map((one, index) => ({ label: `${name}#${index + 1}`, ...one })),
    ]),
  )
}

/** @throws Error for a name that shares the secrets of one that has none of its own */
function listedFor(name: string, given: Given) {
  const own = Object.hasOwn(given, name) ? given[name] : undefined
  if (Array.isArray(own)) return own
  const other = own && Object.hasOwn(given, own.sameAs) ? given[own.sameAs] : undefined
  if (Array.isArray(other)) return other
  throw new Error(`sameAs of ${name} must be a name with secrets of its own`)
}

/**
 * One secret under two names lets the sender of one speak for the other.
 * @throws Error naming both
 */
function demandDistinct(given: Given): void {
  const names = new Map<string, string>()
  for (const [name, listed] of Object.entries(given)) {
    for (const { value } of Array.isArray(listed) ? listed : []) {
      // Standard Webhooks: the prefix is no part of the key.
      const key = value.trim().replace(/^whsec_/, '')
      const before = names.get(key)
      if (before !== undefined && before !== name)
        throw new Error(
          `${before} and ${name} have the same secret; if they are meant to, write {"sameAs":"${before}"}`,
        )
      names.set(key, name)
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('must be a JSON object')
  }
}

/** Spec part 8: what senders prove who they are with. */
export const webhookSecretSettings = {
  WEBHOOK_SECRETS: withDefault(parsed(secrets), new Map<string, readonly Secret[]>()),
}

/** Spec part 5, webhook rule 1, and part 8: the intake's switches and limits. */
export const webhookSettings = {
  WEBHOOK_SECURITY_ENABLED: withDefault(choice(['true', 'false']), 'true'),
  WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: withDefault(whole(0, 1_000_000), 100),
  WEBHOOK_PAYMENT_SIGNATURE: optional(choice(['required', 'optional'])),
  WEBHOOK_TOLERANCE_SECONDS: optional(decimal(0, 31_536_000)),
  WEBHOOK_MAX_BODY_BYTES: withDefault(whole(1, 4_194_304), 4_194_304),
}

/** Dropbox gives out 15 characters, and nobody fewer. */
const MINIMUM_LENGTH = 12

interface Shared {
  readonly STAGE: string
  readonly WEBHOOK_SECRETS: ReadonlyMap<string, readonly Secret[]>
}

/** A deployed stage shares a secret with somebody, and none that others can guess. */
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
