import { localOrNull } from '../../runtime/local-date-time.ts'
import { type HeardList, REMEMBERED_MS } from '../heard/heard.ts'
import type { Catalog } from '../sources/catalog.ts'

export interface SourceListParts {
  readonly catalog: Pick<Catalog, 'names' | 'configured'>
  /** The names that have a secret. */
  readonly withSecret: Iterable<string>
  readonly heard: HeardList
}

/**
 * The known sources, and those that sent a call recently, by name.
 * @throws ServiceError `UNAVAILABLE`
 */
export async function listSources({ catalog, withSecret, heard }: SourceListParts, now: Date) {
  const days = await heard.since(new Date(now.getTime() - REMEMBERED_MS))
  const lastHeard = new Map<string, Date>()
  for (const { source, lastAt } of days) {
    if (lastAt > (lastHeard.get(source) ?? new Date(0))) lastHeard.set(source, lastAt)
  }
  const secrets = new Set(withSecret)
  return [...new Set([...catalog.names, ...secrets, ...lastHeard.keys()])].sort().map((source) => ({
    source,
    configured: catalog.configured.has(source),
    hasSecret: secrets.has(source),
    lastHeardAt: localOrNull(lastHeard.get(source)),
  }))
}
