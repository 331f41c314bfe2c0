import { type Catalog, catalogFrom } from '../webhooks/sources/catalog.ts'
import { team } from './team.ts'

/** The sources of this deployment. */
export function teamSources(): Catalog {
  return catalogFrom(team)
}
