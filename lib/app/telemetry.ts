import { randomBytes } from 'node:crypto'
import type { PendingMetrics } from '../adapters/emf/metrics.ts'
import { type Measured, otlpExporter, type Span } from '../adapters/otlp/exporter.ts'
import type { Carrier } from '../deliver/carrier.ts'
import type { Call } from '../http/middleware/call.ts'
import type { Dimensions, Metrics } from '../runtime/metrics.ts'
import type { Clock } from '../runtime/time.ts'
import type { Correlation } from '../runtime/trace.ts'
import type { Audit, AuditDecision, AuditFacts, DecisionPlace } from '../webhooks/audit.ts'

export type Telemetry = ReturnType<typeof telemetryOf>

/** Decisions of the intake by which a call began the trace of its event. */
const BEGINS: readonly AuditDecision[] = ['received', 'processed', 'held', 'failed', 'dead']
/** Those by which a run of an event ends. */
const ENDS: readonly AuditDecision[] = ['processed', 'failed', 'dead']

/**
 * The trace of each event from its intake to its last attempt, and the metrics that exist, for OTLP. This file imports
 * nothing that a function has anyway: it would be in a chunk of its own, which each start would load.
 * @param idsOfLine of the current work; a copy of that function would know none
 * @param budget of the exporter
 */
export function telemetryOf(
  serviceName: string,
  place: DecisionPlace,
  metrics: PendingMetrics,
  clock: Clock,
  idsOfLine: (fields: Readonly<Record<string, unknown>>) => object,
  budget?: number,
) {
  const correlation = (): Correlation => idsOfLine({})
  const exporter = otlpExporter(serviceName, () => performance.now(), budget)
  const spans: Span[] = []
  const measured = new Map<string, Measured>()
  /** By the id of a call or of a run: what was decided, or when the run began. */
  const calls = new Map<string, AuditDecision>()
  const runs = new Map<string, Date>()

  function note(name: string, isCount: boolean, value: number, attributes: Dimensions = {}): void {
    const key = JSON.stringify([name, attributes])
    const { since = clock.now(), value: before = 0 } = measured.get(key) ?? {}
    const unit = /(?:Age|Lag)$/.test(name) ? 'ms' : name === 'PlacesTaken' ? '%' : '1'
    const next = isCount ? before + value : Math.max(before, value)
    measured.set(key, { name: metricName(name), isCount, unit, attributes, value: next, since })
  }

  /** Below the first span of its trace, unless it is that one. */
  function end(span: Omit<Span, 'endedAt' | 'parentId'>): void {
    const root = rootOf(span.traceId)
    spans.push({ ...span, endedAt: clock.now(), ...(span.spanId !== root && { parentId: root }) })
  }

  function endCall({ event, response }: Call): void {
    const { requestId = '', source, eventId, traceId } = correlation()
    const decision = calls.get(requestId)
    calls.delete(requestId)
    if (source === undefined || eventId === undefined || traceId === undefined) return
    const begins = decision !== undefined && BEGINS.includes(decision)
    const status = response?.statusCode ?? 500
    const { requestContext, headers } = event
    end({
      traceId,
      spanId: begins ? rootOf(traceId) : newSpanId(),
      link: callerIn(headers['traceparent']),
      name: `receive ${source}`,
      kind: 'server',
      startedAt: new Date(Math.min(requestContext.timeEpoch, clock.now().getTime())),
      attributes: {
        ...factsOf({ source, eventId }),
        'gatehouse.decision': decision,
        'gatehouse.request_id': requestId,
        'http.response.status_code': status,
      },
      error: status >= 500 ? `HTTP ${status}` : undefined,
    })
  }

  function endRun(decision: AuditDecision, about: AuditFacts): void {
    const { messageId = '', traceId, eventId } = correlation()
    if (traceId === undefined || eventId === undefined || eventId !== about.eventId) return
    const key = `${messageId} ${traceId}`
    if (decision === 'retried') runs.set(key, clock.now())
    const startedAt = runs.get(key)
    if (startedAt === undefined || !ENDS.includes(decision)) return
    runs.delete(key)
    end({
      traceId,
      spanId: newSpanId(),
      name: `process ${about.source}`,
      kind: 'consumer',
      startedAt,
      attributes: { ...factsOf(about), 'gatehouse.decision': decision },
      error: decision === 'processed' ? undefined : decision,
    })
  }

  const counting: Metrics = {
    count(counter, dimensions, isApart) {
      metrics.count(counter, dimensions, isApart)
      note(counter, true, 1, dimensions)
    },
    measure(gauge, value, dimensions, isApart) {
      metrics.measure(gauge, value, dimensions, isApart)
      note(gauge, false, value, dimensions)
    },
  }

  return {
    metrics: counting,

    audited: (audit: Audit): Audit => ({
      decided(decision, about) {
        audit.decided(decision, about)
        if (place === 'worker') endRun(decision, about)
        else calls.set(correlation().requestId ?? '', decision)
      },
    }),

    /** Every attempt is a span, whose id the destination gets in `traceparent`. */
    carrying: (destination: string, { carry }: Carrier): Carrier => ({
      async carry(parcel) {
        const [, traceId = '', spanId = ''] = parcel.traceparent.split('-')
        const { event, attempt, replayId, at } = parcel
        let error: string | undefined = 'this service failed'
        let text: string | undefined
        try {
          const answer = await carry(parcel)
          text = answer.answer
          error = answer.kind === 'failed' ? text : undefined
          return answer
        } finally {
          end({
            traceId,
            spanId,
            name: `deliver ${destination}`,
            kind: 'client',
            startedAt: at,
            attributes: {
              ...factsOf(event),
              'gatehouse.destination': destination,
              'gatehouse.attempt': attempt,
              'gatehouse.replay_id': replayId,
              'gatehouse.answer': text,
            },
            error,
          })
        }
      },
    }),

    /** Sends what is due. @param call the endpoint's call that has just ended */
    async flush(call?: Call): Promise<void> {
      if (call && place === 'intake') endCall(call)
      const due = [...measured.values()]
      measured.clear()
      runs.clear()
      const lost = await exporter.send(spans.splice(0), due)
      for (let left = lost; left > 0; left--) metrics.count('TelemetryDropped')
      if (lost > 0) metrics.publish()
    },
  }
}

/** The first span of an event: half of the id of its trace, so that every attempt knows it. */
function rootOf(traceId: string): string {
  return traceId.slice(0, 16)
}

function newSpanId(): string {
  return randomBytes(8).toString('hex')
}

/** W3C Trace Context, section 3.2. */
function callerIn(traceparent = ''): Span['link'] {
  const [, traceId, spanId] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(traceparent) ?? []
  return traceId && spanId ? { traceId, spanId } : undefined
}

function factsOf({ source, eventId, eventType }: AuditFacts) {
  return {
    'gatehouse.source': source,
    'gatehouse.event_id': eventId,
    ...(eventType !== undefined && { 'gatehouse.event_type': eventType }),
  }
}

/** As `gatehouse.dead_deliveries`. */
function metricName(name: string): string {
  return `gatehouse.${name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()}`
}
