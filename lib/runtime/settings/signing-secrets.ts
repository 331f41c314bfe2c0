import * as z from 'zod/mini'
import { parsed, type Rule, withDefault } from '../config.ts'
import { weaknessOf } from './strength.ts'

/** A shared secret and the time in which it is valid; both ends are optional. */
export interface Secret {
  readonly value: string
  /** The name that has it of its own, where that is another one: `sameAs`. */
  readonly owner?: string
  /** Its name in records: given, or the name and the place in the list, `stripe#1`. */
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

/** Secrets by name, in JSON: one or a list, or a reference to those of another name. @param kind what the names are */
function namedSecrets(kind: string) {
  return parsed((text) => secretsIn(text, kind))
}

function secretsIn(text: string, kind: string): ReadonlyMap<string, readonly Secret[]> {
  const given = z.safeParse(secretsByName, parseJson(text))
  if (!given.success) throw new Error(`must map each ${kind} to a secret or a list of secrets`)
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
  const owner = Array.isArray(own) || !own ? name : own.sameAs
  const listed = Object.hasOwn(given, owner) ? given[owner] : undefined
  if (Array.isArray(listed)) return listed.map((one) => ({ ...one, ...(owner !== name && { owner }) }))
  throw new Error(`sameAs of ${name} must be a name with secrets of its own`)
}

/**
 * With one secret under two names, the sender of one could sign as the other.
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

/** The secrets that senders prove their identity with (webhooks-10). */
export const webhookSecretSettings = {
  /**
   * JSON: name → secret, or a list of secrets or `{"value","notBefore","notAfter","label"}`, or `{"sameAs":"<name>"}`,
   * without which no two names may have one secret; a public key where the provider signs with a private one; the
   * label stands in the [proof](reference/webhooks.md#proof), `stripe#1` without one @default made at the first start
   */
  WEBHOOK_SECRETS: /* @__PURE__ */ withDefault(
    /* @__PURE__ */ namedSecrets('provider name'),
    new Map<string, readonly Secret[]>(),
  ),
}

/** What destinations are signed with, by their names, and what `secret('…')` names. */
export const deliverySecretSettings = {
  /**
   * JSON of the same form. The name of an HTTP [destination](destinations.md) has its signing secrets: `whsec_` and base64,
   * or `whsk_` and an Ed25519 key of 32 bytes; each good one of a list signs. A name in `secret(…)` has the value of
   * that header, or of that part of `auth` @default made at the first start
   */
  DELIVERY_SECRETS: /* @__PURE__ */ withDefault(
    /* @__PURE__ */ namedSecrets('destination name'),
    new Map<string, readonly Secret[]>(),
  ),
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
