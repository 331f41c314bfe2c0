import { toLocalDateTime } from '../../runtime/time.ts'
import { spanMs } from '../configured/schema.ts'
import { type LastCallStore, type LastCalls, NOTE_PAUSE_MS } from '../last-calls.ts'
import type { Catalog } from '../sources/catalog.ts'

export interface SourceListParts {
  readonly catalog: Pick<Catalog, 'configured'>
  /** The names that have a secret. */
  readonly withSecret: Iterable<string>
  readonly calls: Pick<LastCallStore, 'all'>
  /** That of the service itself, if it has events. */
  readonly own?: readonly string[] | undefined
}

/** In which time at least one call of a source without `expectEvery` must be accepted if others are refused. */
const USUAL_MS = 3_600_000

/**
 * The sources that are configured, have a secret or have sent a call, by name.
 * @param readable those that the caller may see; all if absent
 * @throws ServiceError `UNAVAILABLE`
 */
export async function listSources(
  { catalog, withSecret, calls, own = [] }: SourceListParts,
  now: Date,
  readable?: readonly string[],
) {
  const last = new Map((await calls.all()).map((one) => [one.source, one]))
  const secrets = new Set(withSecret)
  const names = new Set([...catalog.configured.keys(), ...secrets, ...last.keys(), ...own])
  const shown = readable ? names.intersection(new Set(readable)) : names
  return [...shown].sort().map((source) => {
    const expectEvery = catalog.configured.get(source)?.expectEvery
    const { lastAcceptedAt } = last.get(source) ?? {}
    return {
      source,
      configured: catalog.configured.has(source),
      hasSecret: secrets.has(source),
      lastReceivedAt: lastAcceptedAt ? toLocalDateTime(lastAcceptedAt) : null,
      expectEvery: expectEvery ?? null,
      ...stateOf(last.get(source), expectEvery, now),
    }
  })
}

/** A time that was noted may be ten minutes older than the last call. */
function stateOf(last: LastCalls | undefined, expectEvery: string | undefined, now: Date) {
  const span = expectEvery === undefined ? USUAL_MS : spanMs(expectEvery)
  const isUnheard = !isWithin(last?.lastAcceptedAt, span, now)
  const refusedOnly = isUnheard && isWithin(last?.lastRefusedAt, span, now)
  return { silent: isUnheard && expectEvery !== undefined, refusedOnly }
}

function isWithin(noted: Date | undefined, span: number, now: Date): boolean {
  return noted !== undefined && noted.getTime() >= now.getTime() - NOTE_PAUSE_MS - span
}

/** Whether a source is silent that should send so often. @param noted when its last accepted call was noted */
export function isSilent(noted: Date | undefined, expectEvery: string, now: Date): boolean {
  return !isWithin(noted, spanMs(expectEvery), now)
}
