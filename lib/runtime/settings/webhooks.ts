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

const secretsByName = z.record(
  z.string().check(z.regex(/^[a-z0-9][a-z0-9._-]{0,63}$/)),
  z.union([
    z.pipe(
      secret,
      z.transform((one) => [one]),
    ),
    z.array(secret).check(z.minLength(1)),
  ]),
)

function secrets(text: string): ReadonlyMap<string, readonly Secret[]> {
  const given = z.safeParse(secretsByName, parseJson(text))
  if (!given.success) throw new Error('must map each provider name to a secret or a list of secrets')
  return new Map(
    Object.entries(given.data).map(([name, listed]) => [
      name,
      listed.map((one, index) => ({ label: `${name}#${index + 1}`, ...one })),
    ]),
  )
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
}

/** Only a local run may go without rate limit, signature and timestamp checks. */
export const securityDeployed: Rule<Security> = {
  settings: ['STAGE', 'WEBHOOK_SECURITY_ENABLED'],
  broken: ({ STAGE, WEBHOOK_SECURITY_ENABLED }) =>
    STAGE !== 'local' && WEBHOOK_SECURITY_ENABLED === 'false'
      ? 'WEBHOOK_SECURITY_ENABLED: must be true on a deployed stage'
      : undefined,
}
