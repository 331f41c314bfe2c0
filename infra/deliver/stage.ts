import { existsSync, globSync } from 'node:fs'
import type { Destination } from '../../lib/deliver/destination.ts'
import { TEAM_CONFIG } from '../builds.ts'
import { HANDLER_FILES } from '../project.ts'

/**
 * The destinations of a stage, handlers among them; one without a network of its own has that of the stage. Loads what reads the configuration only if there is one.
 * @throws ConfigError
 */
export async function stageDestinations(stage: string): Promise<readonly Destination[]> {
  if (!existsSync(TEAM_CONFIG) && globSync('**/*.ts', { cwd: HANDLER_FILES }).length === 0) return []
  const { configuredTeam } = await import('../team-config.ts')
  const { destinationsOf } = await import('../../lib/deliver/configured/destinations.ts')
  const { stageParameters } = await import('../stages.ts')
  const { stageNetwork } = await import('../stage-wide.ts')
  const network = stageNetwork(stageParameters(stage, []))
  const all = destinationsOf(await configuredTeam(stage), stage)
  return network ? all.map((one) => ({ ...one, network: one.network ?? network })) : all
}

/** Whether one of them is an EventBridge bus, so that a local run needs one. */
export function hasBus(destinations: readonly Destination[]): boolean {
  return destinations.some(({ target }) => target.to === 'eventbridge')
}
