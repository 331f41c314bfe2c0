import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { LOCAL_KEY_ID } from '../lib/platform/settings/token.ts'
import { StartError } from './start-error.ts'

/** What a local run makes for itself, by the setting that it stands for. */
export interface Secrets {
  readonly JWT_KEYS: string
  readonly WEBHOOK_SECRETS: string
}

const WEBHOOKS = ['stripe', 'github', 'payment', 'order-status', 'demo']

/** RFC 7518 section 3.2: as long as the output of HS512. */
const KEY_BYTES = 64

export function makeSecrets(): Secrets {
  const webhooks = WEBHOOKS.map((name) => [name, `whsec_${randomBytes(24).toString('base64url')}`])
  return {
    JWT_KEYS: `${LOCAL_KEY_ID}:${randomBytes(KEY_BYTES).toString('base64url')}`,
    WEBHOOK_SECRETS: JSON.stringify(Object.fromEntries(webhooks)),
  }
}

const secretsFile = z.object({ JWT_KEYS: z.string(), WEBHOOK_SECRETS: z.record(z.string(), z.string()) })

/**
 * The secrets of a data folder: those of its first start, and what has become necessary since.
 * @param file undefined where nothing is kept
 * @throws StartError as `readKept` does
 */
export function keptSecrets(file: string | undefined): Secrets {
  const made = makeSecrets()
  if (file === undefined) return made
  const kept = readKept(file)
  const webhooks = { ...JSON.parse(made.WEBHOOK_SECRETS), ...kept?.WEBHOOK_SECRETS }
  const secrets = { JWT_KEYS: kept?.JWT_KEYS ?? made.JWT_KEYS, WEBHOOK_SECRETS: webhooks }
  writeFileSync(file, `${JSON.stringify(secrets, undefined, 2)}\n`, { mode: 0o600 })
  return { ...secrets, WEBHOOK_SECRETS: JSON.stringify(webhooks) }
}

/**
 * What an earlier start kept, if there was one.
 * @throws StartError for a file that cannot be read any more
 */
export function readKept(file: string): z.infer<typeof secretsFile> | undefined {
  try {
    return z.parse(secretsFile, JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new StartError(`${file} is damaged; without it the next start makes new secrets.`)
  }
}
