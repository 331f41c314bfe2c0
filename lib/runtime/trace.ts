import { env, getBuiltinModule } from 'node:process'

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
export function workTraceId(id: string): string {
  const { _X_AMZN_TRACE_ID: header = '' } = env
  const [, time, rest] = ROOT.exec(header) ?? []
  return time && rest ? time + rest : digits(id, 32)
}

/** Loads the module with the first id: most functions of the API need none. */
function digits(text: string, length: number): string {
  return getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex').slice(0, length)
}
