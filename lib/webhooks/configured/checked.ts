import { ConfigError } from '../../runtime/config.ts'
import { type Catalog, catalogFrom } from '../sources/catalog.ts'
import { readConfig } from './read.ts'

/**
 * The sources of a configuration that may have mistakes.
 * @throws ConfigError naming all of them
 */
export function catalogOf(given: unknown): Catalog {
  const read = readConfig(given)
  if (read.problems) throw new ConfigError(read.problems, 'Wrong configuration, gatehouse.config.ts')
  return catalogFrom(read.config)
}
