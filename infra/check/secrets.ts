import { STSClient } from '@aws-sdk/client-sts'
import { secretsManager } from '../../lib/adapters/secrets/secrets-manager.ts'
import { destinationsOf } from '../../lib/deliver/configured/destinations.ts'
import { deliverySecretsGiven, secretOf } from '../../lib/deliver/given-secrets.ts'
import type { Team } from '../../lib/deliver/handler-file.ts'
import { ConfigError, type Environment, loadConfig } from '../../lib/runtime/config.ts'
import { settingsIn } from '../../lib/runtime/secrets.ts'
import { edgeSettings } from '../../lib/runtime/settings/edge.ts'
import { ldapAccountSettings, strongPasswordDeployed } from '../../lib/runtime/settings/ldap.ts'
import { oauth2Rules, oauth2Settings } from '../../lib/runtime/settings/oauth2.ts'
import { SECRETS, type SecretName, secretKind } from '../../lib/runtime/settings/secret-names.ts'
import {
  deliverySecretSettings,
  strongSecretsDeployed,
  webhookSecretSettings,
} from '../../lib/runtime/settings/signing-secrets.ts'
import { strongKeysDeployed, tokenSettings } from '../../lib/runtime/settings/token.ts'
import { secretsReadable } from '../../lib/webhooks/readable-secrets.ts'
import { catalogFrom } from '../../lib/webhooks/sources/catalog.ts'
import { endpointIn, missingSecrets, secretsRead } from '../deployed.ts'
import { type Finding, failing, passed, warn } from '../finding.ts'
import type { StageValues } from '../stages.ts'
import { awsReason, clientIn } from './account.ts'

/**
 * Whether the secrets that functions will read are there, and whether functions start with them. Shows no value.
 * @throws Error when Secrets Manager does not say which are there
 */
export async function checkSecrets(stage: string, parameters: StageValues, team: Team): Promise<readonly Finding[]> {
  const region = String(parameters['region'])
  const destinations = destinationsOf(team, stage)
  const settings = Object.fromEntries(Object.entries(parameters).filter(([name]) => /^[A-Z]/.test(name)))
  const environment = { ...settings, SECRETS_PREFIX: parameters['secretsPrefix'] }
  const sts = new STSClient(clientIn(region))
  const { credentials } = sts.config
  const engine = {
    service: { provider: { environment } },
    getProvider: () => ({ getRegion: () => region, getAwsSdkV3Config: async () => ({ credentials }) }),
  }
  const [, ...missing] = (await missingSecrets(engine, destinations)).map((line) => line.trim())
  const absent = missing.map((name) =>
    failing(
      'secrets',
      `${name} is not in Secrets Manager in ${region}`,
      'make it: docs/rotation.md, before the first deployment',
    ),
  )
  const source = secretsManager(() => ({ endpoint: endpointIn(region), region, credentials }))
  const texts = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]))
  const present = secretsRead(engine, destinations).filter((name) => !missing.includes(name))
  const judged = await Promise.all(
    present.map((id) =>
      source.read(id).then(
        (text) =>
          judge(
            id.slice(`${parameters['secretsPrefix']}/`.length) as SecretName,
            id,
            text,
            { ...texts, STAGE: stage },
            team,
          ),
        (error) => [warn('secrets', `${id} is there, and not read: ${awsReason(error)}`, 'allow it, or trust it')],
      ),
    ),
  )
  sts.destroy()
  const findings = [...absent, ...judged.flat()]
  return findings.length > 0 ? findings : [passed('secrets', `functions start with ${present.join(', ')}`)]
}

const { STAGE } = edgeSettings

/** Loads as the functions do that read the secret. */
const LOADED: Readonly<
  Record<keyof typeof SECRETS, (environment: Environment, team: Team, name: SecretName) => unknown>
> = {
  tokens: (environment) => loadConfig({ STAGE, JWT_KEYS: tokenSettings.JWT_KEYS }, [strongKeysDeployed], environment),
  webhooks: (environment, team) => {
    const rules = [strongSecretsDeployed, secretsReadable(catalogFrom(team))]
    return loadConfig({ STAGE, ...webhookSecretSettings }, rules, environment)
  },
  deliveries: (environment, team, name) => {
    const reading = destinationsOf(team, String(environment['STAGE'])).filter((one) => secretOf(one) === name)
    const rules = [deliverySecretsGiven(reading)]
    return loadConfig(deliverySecretSettings, rules, environment)
  },
  oauth2: (environment) => loadConfig({ STAGE, ...oauth2Settings }, oauth2Rules, environment),
  directory: (environment) => loadConfig({ STAGE, ...ldapAccountSettings }, [strongPasswordDeployed], environment),
}

function judge(name: SecretName, id: string, text = '{}', environment: Environment, team: Team): readonly Finding[] {
  const kind = secretKind(name)
  try {
    LOADED[kind]({ ...environment, ...settingsIn(text, id, SECRETS[kind]) }, team, name)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map((problem) =>
      failing('secrets', problem.startsWith(id) ? problem : `${id}: ${problem}`, 'replace it: docs/rotation.md'),
    )
  }
}
