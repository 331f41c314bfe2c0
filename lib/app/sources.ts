import { checkedConfig } from '../deliver/configured/read.ts'
import { type Catalog, catalogFrom } from '../webhooks/sources/catalog.ts'
import { team } from './team.ts'

/** The sources of this deployment. @throws ConfigError */
export function teamSources(): Catalog {
  return catalogFrom(checkedConfig(team))
}
