import { type Finding, failing, passed } from '../../infra/finding.ts'
import { configuredTeam } from '../../infra/team-config.ts'
import { destinationsOf } from '../../lib/deliver/configured/destinations.ts'
import { ConfigError, type Environment } from '../../lib/runtime/config.ts'
import { catalogFrom } from '../../lib/webhooks/sources/catalog.ts'
import { readSettings } from '../settings.ts'

/** The errors that `npm start` would report in the settings, one finding per wrong setting. */
export async function checkSettings(given: Environment): Promise<readonly Finding[]> {
  try {
    const team = await configuredTeam('local')
    readSettings(given, catalogFrom(team), destinationsOf(team, 'local'))
    return [passed('settings', 'valid')]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map((problem) =>
      failing('settings', problem, 'correct or unset it; docs/settings.md lists all settings'),
    )
  }
}
