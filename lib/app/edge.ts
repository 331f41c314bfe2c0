import type { ServiceError } from '../errors.ts'
import type { HttpEvent, Reply } from '../http/message.ts'
import type { EndpointContext } from '../http/middleware/call.ts'
import { type Config, loadConfig } from '../runtime/config.ts'
import { consoleLog } from '../runtime/log.ts'
import { createSecretCache, type SecretCache } from '../runtime/secrets.ts'
import {
  edgeDeployed,
  edgeSettings,
  isBasicForOperators,
  originSettings,
  serviceOf,
  serviceSettings,
} from '../runtime/settings/edge.ts'
import { systemClock } from '../runtime/time.ts'

export const clock = systemClock
export const log = consoleLog(clock.now)

let kept: SecretCache | undefined

/** The secret cache of this process. */
export function secretCache(): SecretCache {
  kept ??= createSecretCache({
    clock,
    log,
    serviceName: serviceOf(loadConfig(serviceSettings)),
  })
  return kept
}

/** For endpoints that require no credentials. @throws ConfigError */
export function makePublic(): EndpointContext {
  return contextOf(loadConfig(edgeSettings, edgeDeployed))
}

/** Makes the context of every endpoint from the settings. */
export function contextOf(config: Config<typeof edgeSettings>): EndpointContext {
  return {
    clock,
    log,
    baseUrl: config.BASE_URL,
    trustedOrigins: config.TRUSTED_ORIGINS,
    trustedProxies: config.TRUSTED_PROXIES,
    edgeSecrets: loadConfig(originSettings).EDGE_SECRETS,
    profile: config.PROFILE,
    isBasicForOperators: isBasicForOperators(config),
    errorPage,
    prepare: secretCache().refresh,
  }
}

/** Loaded for the first browser that meets a failure. */
async function errorPage(error: ServiceError, event: HttpEvent, baseUrl: URL): Promise<Reply> {
  const loaded = await import('./error-page.ts')
  return loaded.errorPage(error, event, baseUrl)
}
