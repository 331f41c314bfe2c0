import { type Environment, loadConfig } from '../runtime/config.ts'
import { webhookSettings } from '../runtime/settings/webhooks.ts'
import type { ExplainParts } from '../webhooks/explain/ask.ts'
import { makeChanging } from './changing.ts'
import { teamSources } from './sources.ts'
import { webhookSecrets } from './webhook-secrets.ts'

const { WEBHOOK_TOLERANCE_SECONDS } = webhookSettings

/** For operators who ask why a call is refused. */
export async function makeExplain(environment?: Environment) {
  const config = loadConfig({ WEBHOOK_TOLERANCE_SECONDS }, [], environment)
  const sources = teamSources()
  const app = await makeChanging(environment)
  const explaining: ExplainParts = {
    sources,
    secrets: await webhookSecrets(sources, environment),
    toleranceSeconds: config.WEBHOOK_TOLERANCE_SECONDS,
    baseUrl: app.baseUrl,
    clock: app.clock,
  }
  return { ...app, explaining }
}
