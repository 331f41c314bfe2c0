import { existsSync, globSync } from 'node:fs'
import type { Destination } from '../../lib/deliver/destination.ts'
import { TEAM_CONFIG } from '../builds.ts'
import { HANDLER_FILES } from '../project.ts'

/**
 * The destinations of a stage, handlers among them. Loads what reads the configuration only if there is one.
 * @throws ConfigError
 */
export async function stageDestinations(stage: string): Promise<readonly Destination[]> {
  if (!existsSync(TEAM_CONFIG) && globSync(`${HANDLER_FILES}/**/*.ts`).length === 0) return []
  const { configuredTeam } = await import('../team-config.ts')
  const { destinationsOf } = await import('../../lib/deliver/configured/destinations.ts')
  return destinationsOf(await configuredTeam(stage), stage)
}

/** Whether one of them is an EventBridge bus, so that a local run needs one. */
export function hasBus(destinations: readonly Destination[]): boolean {
  return destinations.some(({ target }) => target.to === 'eventbridge')
}
