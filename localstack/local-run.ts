import { join } from 'node:path'
import { ServiceError } from '../lib/errors.ts'
import { type Environment, loadConfig, optional } from '../lib/runtime/config.ts'
import { edgeSettings } from '../lib/runtime/settings/edge.ts'
import { webhookSecretSettings } from '../lib/runtime/settings/signing-secrets.ts'
import { type RingKey, tokenSettings } from '../lib/runtime/settings/token.ts'
import type { SharedSecret } from '../lib/webhooks/verify.ts'
import { StartError } from './errors.ts'
import { localSettings } from './settings.ts'
import { httpAddress } from './stack/environment.ts'
import { portsAt } from './stack/ports.ts'
import { runningRun } from './stack/running.ts'
import { type KeptSecrets, readKept, SECRETS_FILE } from './stack/secrets.ts'

/** The facts about a run that other processes with the same settings can know. */
export type LocalRun = ReturnType<typeof localRun>

/** @throws ConfigError for wrong settings; all functions throw StartError for a damaged file of secrets */
export function localRun(environment: Environment) {
  const { PORT_OFFSET, DATA_DIR, WEBHOOK_SECRETS, BASE_URL } = loadConfig(
    {
      PORT_OFFSET: localSettings.PORT_OFFSET,
      DATA_DIR: localSettings.DATA_DIR,
      ...webhookSecretSettings,
      BASE_URL: optional(edgeSettings.BASE_URL),
    },
    [],
    environment,
  )
  const ports = portsAt(PORT_OFFSET)
  const folder = runningRun(ports.http)?.folder ?? DATA_DIR
  let kept: KeptSecrets | undefined

  function keptSecrets(): KeptSecrets | undefined {
    kept ??= folder === 'memory' ? undefined : readKept(join(folder, SECRETS_FILE))
    return kept
  }

  function keptWebhookSecrets(): ReadonlyMap<string, readonly SharedSecret[]> {
    const texts = JSON.stringify(keptSecrets()?.WEBHOOK_SECRETS ?? {})
    return loadConfig(webhookSecretSettings, [], { WEBHOOK_SECRETS: texts }).WEBHOOK_SECRETS
  }

  function webhookSecrets(): ReadonlyMap<string, readonly SharedSecret[]> {
    return WEBHOOK_SECRETS.size > 0 ? WEBHOOK_SECRETS : keptWebhookSecrets()
  }

  return {
    ports,
    /** The address at which it answers. */
    address: BASE_URL ?? new URL(httpAddress(ports.http)),
    /** A path, or `memory`. */
    dataFolder: DATA_DIR,
    webhookSecrets,
    /** The kept private key of a sender in PEM, if it belongs to the key pair in use. */
    signingKey(name: string): string | undefined {
      const valueIn = (secrets: ReturnType<typeof webhookSecrets>) => secrets.get(name)?.[0]?.value
      const isInUse = valueIn(webhookSecrets()) === valueIn(keptWebhookSecrets())
      return isInUse ? keptSecrets()?.SIGNING_KEYS[name] : undefined
    },
    /** The keys with which it signs tokens. @throws StartError when this process cannot read them */
    tokenKeys(): readonly RingKey[] {
      const keys = environment['JWT_KEYS'] || keptSecrets()?.JWT_KEYS
      if (keys) return loadConfig({ JWT_KEYS: tokenSettings.JWT_KEYS }, [], { JWT_KEYS: keys }).JWT_KEYS
      throw new StartError(
        folder === 'memory'
          ? 'No run answers here, and one with DATA_DIR=memory leaves no key: start it, or set JWT_KEYS.'
          : `No key in ${folder}: npm start makes one, or set JWT_KEYS to what the service was started with.`,
      )
    },
  }
}

/** What a command says when the local run's tables do not answer; any other error as it is. */
export function noTables(error: unknown, endpoint: string): unknown {
  const isDown = error instanceof ServiceError && error.is('UNAVAILABLE')
  const isEmpty = error instanceof Error && error.name === 'ResourceNotFoundException'
  if (!isDown && !isEmpty) return error
  return new StartError(`No tables answer at ${endpoint}: start the service first.`, { cause: error })
}
