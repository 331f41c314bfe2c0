import { join } from 'node:path'
import { env } from 'node:process'
import { loadConfig } from '../lib/platform/config.ts'
import { webhookSettings } from '../lib/platform/settings/webhooks.ts'
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

/**
 * The secret that the run with the same settings shares with a sender.
 * @throws StartError when it is kept nowhere that this process can see
 */
export function webhookSecret(name: string): string {
  const kept = DATA_DIR === 'memory' ? undefined : readKept(join(DATA_DIR, 'secrets.json'))
  const secret = WEBHOOK_SECRETS.get(name)?.[0]?.value ?? kept?.WEBHOOK_SECRETS[name]
  if (secret !== undefined) return secret
  throw new StartError(
    `No secret for ${name}: start the service first, or set WEBHOOK_SECRETS to what it was started with.`,
  )
}
