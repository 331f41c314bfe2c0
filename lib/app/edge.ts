import type { Edge } from '../http/endpoint.ts'
import { systemClock } from '../platform/clock.ts'
import { type Config, type Environment, loadConfig } from '../platform/config.ts'
import { createKeeper, type Keeper } from '../platform/keeper.ts'
import { consoleLog } from '../platform/log.ts'
import { edgeSettings } from '../platform/settings/edge.ts'

export const clock = systemClock
export const log = consoleLog(() => clock.now())

let kept: Keeper | undefined

/** The secrets that this process has read. */
export function keeper(): Keeper {
  kept ??= createKeeper({ clock, log })
  return kept
}

/** For endpoints that ask nobody who they are. @throws ConfigError */
export function makePublic(environment?: Environment): Edge {
  return edgeOf(loadConfig(edgeSettings, [], environment))
}

/** What every endpoint needs, from the settings. */
export function edgeOf(config: Config<typeof edgeSettings>): Edge {
  return {
    clock,
    log,
    baseUrl: config.BASE_URL,
    trustedOrigins: config.TRUSTED_ORIGINS,
    trustedProxies: config.TRUSTED_PROXIES,
    profile: config.PROFILE,
    prepare: keeper().refresh,
  }
}
