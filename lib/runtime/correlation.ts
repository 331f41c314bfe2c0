import { AsyncLocalStorage } from 'node:async_hooks'
import { getBuiltinModule } from 'node:process'
import { eventTraceId, workTraceId } from './trace.ts'

/** What the log lines of one call, message or scan have in common. */
export interface Correlation {
  /** Of a call: as the gateway's access log has it, and its answer as `apigw-requestid`. Of a scan: Lambda's own. */
  readonly requestId?: string
  /** Of what came from a queue. */
  readonly messageId?: string
  /** Of the event, once it is known; until then of the call, message or scan. */
  readonly traceId?: string
  /** Where the caller says that it has one: only to find that again. */
  readonly callerTraceId?: string | undefined
  /** The event that the work is about. */
  readonly source?: string
  readonly eventId?: string
  /** Of the try of a delivery, as its destination was told. */
  readonly spanId?: string
}

type Mutable = { -readonly [name in keyof Correlation]: Correlation[name] }

const storage = new AsyncLocalStorage<Mutable>()

/** Does the work, and all that it starts, under these ids. */
export function correlated<T>(ids: Correlation, work: () => T): T {
  return storage.run({ ...ids }, work)
}

/** As {@link correlated}, for work that comes in several calls from outside: runs each of them under the same ids. */
export function correlatedRuns(ids: Correlation): <T>(work: () => T) => T {
  return correlated(ids, () => AsyncLocalStorage.snapshot())
}

/** From here on, the lines of the work at hand have the event that it is about, and the try of a delivery. */
export function concerns(
  { source, eventId }: Required<Pick<Correlation, 'source' | 'eventId'>>,
  spanId?: string,
): void {
  const ids = storage.getStore()
  if (ids)
    Object.assign(ids, { source, eventId, traceId: eventTraceId({ source, eventId }), ...(spanId && { spanId }) })
}

/** The ids of the current work; empty outside of any. */
export function correlation(): Correlation {
  const ids = storage.getStore()
  return ids ? traced(ids) : {}
}

/** With the id of the trace, which takes a hash: most calls write no line. */
function traced(ids: Mutable): Correlation {
  ids.traceId ??= workTraceId(ids.requestId ?? ids.messageId ?? '')
  return ids
}

let instance: string | undefined

/**
 * The ids of a line: those of the work at hand, of the event that the line itself names, or, at a start and in what a
 * process does for nobody in particular, of the process.
 */
export function idsOfLine({ source, eventId }: Readonly<Record<string, unknown>>): Correlation | { instance: string } {
  const ids = storage.getStore()
  if (!ids) instance ??= getBuiltinModule('node:crypto').randomUUID()
  const own = ids ? traced(ids) : { instance: instance ?? '' }
  if (typeof source !== 'string' || typeof eventId !== 'string') return own
  if (source === ids?.source && eventId === ids.eventId) return own
  return { ...own, traceId: eventTraceId({ source, eventId }) }
}
