import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import type { Destination } from '../../lib/deliver/destination.ts'
import { secretsNeeded } from '../../lib/deliver/given-secrets.ts'
import { LOCAL_KEY_ID } from '../../lib/runtime/settings/token.ts'
import { type Catalog, KNOWN } from '../../lib/webhooks/sources/catalog.ts'
import { StartError } from '../errors.ts'
import { signerOf } from '../senders/signers.ts'
import { SENDERS } from '../senders/table.ts'

/** The secrets that a local run generates, by setting. */
export interface Secrets {
  readonly JWT_KEYS: string
  readonly WEBHOOK_SECRETS: string
  readonly DELIVERY_SECRETS: string
}

/** In the folder of a run. */
export const SECRETS_FILE = 'secrets.json'

/** RFC 7518 section 3.2: as long as the output of HS512. */
const KEY_BYTES = 64

const namedTexts = z.record(z.string(), z.string())
/** In every form that the settings take, such as a list: a secret can be replaced in the file. */
const namedSecrets = z.record(z.string(), z.unknown())
const secretsFile = z.object({
  JWT_KEYS: z.string(),
  WEBHOOK_SECRETS: namedSecrets,
  /** What destinations are signed with, and what is sent to them. */
  DELIVERY_SECRETS: z._default(namedSecrets, {}),
  /** The private keys of senders that sign with one: for `npx gatehouse send`, never for the service. */
  SIGNING_KEYS: z._default(namedTexts, {}),
})

/** The content of a data folder's file of secrets. */
export type KeptSecrets = z.output<typeof secretsFile>

/**
 * The secrets of a data folder: those from its first start, and those that became necessary since.
 * @param file undefined if nothing is kept
 * @throws StartError as `readKept` does, and when new secrets cannot be written
 */
export function keptSecrets(
  file: string | undefined,
  { configured, providerOf }: Pick<Catalog, 'configured' | 'providerOf'> = KNOWN,
  destinations: readonly Destination[] = [],
): Secrets {
  const kept = file === undefined ? undefined : readKept(file)
  const secrets = { ...kept?.WEBHOOK_SECRETS }
  const signingKeys = { ...kept?.SIGNING_KEYS }
  for (const name of [...Object.keys(SENDERS), ...configured.keys()].filter((name) => secrets[name] === undefined)) {
    const { secret, signingKey } = signerOf(providerOf(name).scheme.methods[0]).make()
    secrets[name] = secret
    if (signingKey !== undefined) signingKeys[name] = signingKey
  }
  // A certificate is the team's own.
  const { shown: _, ...needed } = secretsNeeded(destinations)
  const names = Object.values(needed).flat()
  const made = names.map((name) => [name, `whsec_${randomBytes(24).toString('base64')}`])
  const deliveries = { ...Object.fromEntries(made), ...kept?.DELIVERY_SECRETS }
  const keys = kept?.JWT_KEYS ?? `${LOCAL_KEY_ID}:${randomBytes(KEY_BYTES).toString('base64url')}`
  const all: KeptSecrets = {
    JWT_KEYS: keys,
    WEBHOOK_SECRETS: secrets,
    DELIVERY_SECRETS: deliveries,
    SIGNING_KEYS: signingKeys,
  }
  if (file !== undefined && !isDeepStrictEqual(all, kept)) replace(file, all)
  return {
    JWT_KEYS: keys,
    WEBHOOK_SECRETS: JSON.stringify(secrets),
    DELIVERY_SECRETS: JSON.stringify(deliveries),
  }
}

/** Keeps the old file until the new one is complete: a full disk loses nothing. */
function replace(file: string, secrets: KeptSecrets): void {
  const whole = `${file}.new`
  try {
    writeFileSync(whole, `${JSON.stringify(secrets, undefined, 2)}\n`, { mode: 0o600, flush: true })
    renameSync(whole, file)
  } catch (error) {
    throw new StartError(`${file} cannot be written: ${error instanceof Error ? error.message : ''}.`)
  }
}

/**
 * The secrets that an earlier start kept; undefined if there was none.
 * @throws StartError for an unreadable file
 */
export function readKept(file: string): KeptSecrets | undefined {
  const refused = (why: string) =>
    new StartError(`${file} ${why}. Correct it: it has the keys of all tokens and senders.`)
  let content: unknown
  try {
    content = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    // Not its message, which quotes the file.
    throw refused(error instanceof SyntaxError ? 'is no JSON' : 'cannot be read')
  }
  const { data, error } = secretsFile.safeParse(content)
  if (data) return data
  const [issue] = error.issues
  throw refused(`is wrong at ${issue?.path.join('.') || 'its top'}: ${issue?.message}`)
}
