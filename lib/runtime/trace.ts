import { AsyncLocalStorage } from 'node:async_hooks'
import { env, getBuiltinModule } from 'node:process'

/** The ids that the log lines of one call, message or scan share. */
export interface Correlation {
  /** Of a call: the id in the gateway's access log, and in its answer as `apigw-requestid`. Of a scan: Lambda's own. */
  readonly requestId?: string
  /** Where the call of a webhook comes from: the address of the caller. */
  readonly from?: string
  /** Of a message from a queue. */
  readonly messageId?: string
  /** Of the event, once it is known; before that of the call, message or scan. */
  readonly traceId?: string
  /** The trace id that the caller sends: only to find the caller's trace again. */
  readonly callerTraceId?: string | undefined
  /** The event that the work is about. */
  readonly source?: string
  readonly eventId?: string
  /** Of the try of a delivery, as sent to its destination. */
  readonly spanId?: string
}

type Mutable = { -readonly [name in keyof Correlation]: Correlation[name] }

const storage = new AsyncLocalStorage<Mutable>()

/** Runs the work, and everything that it starts, under these ids. */
export function correlated<T>(ids: Correlation, work: () => T): T {
  return storage.run({ ...ids }, work)
}

/** As {@link correlated}, for a call with a `traceparent`; the work is given what follows it. */
export function correlatedCall<G extends unknown[], R>(
  ids: Correlation,
  traceparent: string | undefined,
  work: (...given: G) => R,
  ...given: G
): R {
  return storage.run({ ...ids, callerTraceId: callerTraceIdIn(traceparent) }, work, ...given)
}

/**
 * As {@link correlated}, for work that consists of several calls from outside: runs each of them under the same ids.
 */
export function correlatedRuns(ids: Correlation): <T>(work: () => T) => T {
  return correlated(ids, () => AsyncLocalStorage.snapshot())
}

/** The log lines of the current work name this event from now on, and the try of a delivery. */
export function correlateEvent(
  { source, eventId }: Required<Pick<Correlation, 'source' | 'eventId'>>,
  spanId?: string,
): void {
  const ids = storage.getStore()
  if (ids)
    Object.assign(ids, { source, eventId, traceId: eventTraceId({ source, eventId }), ...(spanId && { spanId }) })
}

/** The log lines of the current call name the address of its caller from now on. */
export function calledFrom(from: string): void {
  const ids = storage.getStore()
  if (ids) ids.from = from
}

/** The ids of the current work; empty outside of any. */
export function correlation(): Correlation {
  const ids = storage.getStore()
  return ids ? traced(ids) : {}
}

/** Adds the id of the trace. It takes a hash, and most calls write no line. */
function traced(ids: Mutable): Correlation {
  ids.traceId ??= workTraceId(ids.requestId ?? ids.messageId ?? '')
  return ids
}

let instance: string | undefined

/**
 * The ids of a line: those of the current work and of the event that the line itself names. A line outside any such
 * work, for example at the start, has the id of the process.
 */
export function idsOfLine({ source, eventId }: Readonly<Record<string, unknown>>): Correlation | { instance: string } {
  const ids = storage.getStore()
  if (!ids) instance ??= getBuiltinModule('node:crypto').randomUUID()
  const own = ids ? traced(ids) : { instance: instance ?? '' }
  if (typeof source !== 'string' || typeof eventId !== 'string') return own
  if (source === ids?.source && eventId === ids.eventId) return own
  return { ...own, traceId: eventTraceId({ source, eventId }) }
}

/** The key of an event. */
interface Traced {
  readonly source: string
  readonly eventId: string
}

/**
 * The id of an event's trace, as W3C Trace Context defines it (section 3.2.2.3): 32 hexadecimal digits. It is computed
 * from the event, so it is stored nowhere and no message carries it (docs/decisions/0047-trace.md).
 */
export function eventTraceId({ source, eventId }: Traced): string {
  return digits(`${source}/${eventId}`, 32)
}

/** The id of one try within a trace, from a text that is unique in it: 16 hexadecimal digits. */
export function spanIdOf(unique: string): string {
  return digits(unique, 16)
}

/**
 * The header of that name (W3C Trace Context, section 3.2). It says that the call is recorded; otherwise a receiver
 * that follows its callers would record nothing.
 */
export function traceparentOf(event: Traced, spanId: string): string {
  return `00-${eventTraceId(event)}-${spanId}-01`
}

const TRACEPARENT = /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/

/** The trace in a caller's `traceparent`; undefined for an invalid one. */
export function callerTraceIdIn(header: string | undefined): string | undefined {
  return header === undefined ? undefined : TRACEPARENT.exec(header)?.[1]
}

/** AWS X-Ray Developer Guide, "Tracing header": of a root, the digits of its time and of its id. */
const ROOT = /\bRoot=1-([0-9a-f]{8})-([0-9a-f]{24})\b/

/** The trace id of work that is about no event yet: that of X-Ray, or one computed from the work's own id. */
function workTraceId(id: string): string {
  const { _X_AMZN_TRACE_ID: header = '' } = env
  const [, time, rest] = ROOT.exec(header) ?? []
  return time && rest ? time + rest : digits(id, 32)
}

/** Loads the module with the first id: most functions of the API need none. */
function digits(text: string, length: number): string {
  return getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex').slice(0, length)
}
