import { join } from 'node:path'
import { env } from 'node:process'
import { loadConfig } from '../lib/platform/config.ts'
import { webhookSettings } from '../lib/platform/settings/webhooks.ts'
import type { SharedSecret } from '../lib/webhooks/verify.ts'
import { httpAddress } from './environment.ts'
import { portsAt } from './ports.ts'
import { readKept } from './secrets.ts'
import { localSettings } from './settings.ts'
import { StartError } from './start-error.ts'

const { PORT_OFFSET, DATA_DIR } = loadConfig({
  PORT_OFFSET: localSettings.PORT_OFFSET,
  DATA_DIR: localSettings.DATA_DIR,
})
const { WEBHOOK_SECRETS } = loadConfig({ WEBHOOK_SECRETS: webhookSettings.WEBHOOK_SECRETS })

/** Where the run with the same settings as this process answers. */
export function localAddress(): URL {
  return new URL(env['BASE_URL'] ?? httpAddress(portsAt(PORT_OFFSET).http))
}

/** Every secret that the run with the same settings shares with senders, by the sender's name. */
export function webhookSecrets(): ReadonlyMap<string, readonly SharedSecret[]> {
  if (WEBHOOK_SECRETS.size > 0) return WEBHOOK_SECRETS
  const kept = DATA_DIR === 'memory' ? undefined : readKept(join(DATA_DIR, 'secrets.json'))
  return new Map(Object.entries(kept?.WEBHOOK_SECRETS ?? {}).map(([name, value]) => [name, [{ value }]]))
}

/**
 * The secret that the run with the same settings shares with a sender.
 * @throws StartError when it is kept nowhere that this process can see
 */
export function webhookSecret(name: string): string {
  const secret = webhookSecrets().get(name)?.[0]?.value
  if (secret !== undefined) return secret
  throw new StartError(
    `No secret for ${name}: start the service first, or set WEBHOOK_SECRETS to what it was started with.`,
  )
}
