import { derived } from '../runtime/secrets.ts'
import { edgeSettings } from '../runtime/settings/edge.ts'
import { strongSecretsDeployed, webhookSecretSettings } from '../runtime/settings/signing-secrets.ts'
import { secretsReadable } from '../webhooks/readable-secrets.ts'
import { type Catalog, catalogFrom } from '../webhooks/sources/catalog.ts'
import { secretConfig } from './secrets.ts'
import { team } from './team.ts'

/** The sources of this deployment. */
export function teamSources(): Catalog {
  return catalogFrom(team)
}

/**
 * The secrets of webhooks by the name of their source.
 * @param sources whose schemes must be able to read them
 * @throws ConfigError; ServiceError `UNAVAILABLE`
 */
export async function webhookSecrets(sources?: Catalog) {
  const settings = { STAGE: edgeSettings.STAGE, ...webhookSecretSettings }
  const rules = [strongSecretsDeployed, ...(sources ? [secretsReadable(sources)] : [])]
  const secret = await secretConfig('webhooks', settings, rules)
  return derived(secret, ({ WEBHOOK_SECRETS }) => WEBHOOK_SECRETS)
}
