import { catalogOf } from '../webhooks/configured/checked.ts'
import type { Catalog } from '../webhooks/sources/catalog.ts'
import { team } from './team.ts'

/** The sources of this deployment. @throws ConfigError */
export function teamSources(): Catalog {
  return catalogOf(team)
}
