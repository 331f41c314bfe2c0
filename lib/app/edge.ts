import type { Edge } from '../http/endpoint.ts'
import { systemClock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import { createKeeper } from '../platform/keeper.ts'
import { consoleLog } from '../platform/log.ts'
import type { edgeSettings } from '../platform/settings/edge.ts'

export const clock = systemClock
export const log = consoleLog(() => clock.now())

/** The secrets that this process has read. */
export const keeper = createKeeper({ clock, log })

/** What every endpoint needs, from the settings. */
export function edgeOf(config: Config<typeof edgeSettings>): Edge {
  return {
    clock,
    log,
    baseUrl: config.BASE_URL,
    trustedOrigins: config.TRUSTED_ORIGINS,
    trustedProxies: config.TRUSTED_PROXIES,
    profile: config.PROFILE,
    prepare: keeper.refresh,
  }
}
