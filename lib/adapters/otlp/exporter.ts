import { type HrTime, SpanKind, SpanStatusCode, TraceFlags, ValueType } from '@opentelemetry/api'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { AggregationTemporality, DataPointType } from '@opentelemetry/sdk-metrics'

/** A piece of work that ended. */
export interface Span {
  readonly traceId: string
  readonly spanId: string
  /** Absent for the first one of a trace. */
  readonly parentId?: string
  /** The trace and the span of a caller. */
  readonly link?: { readonly traceId: string; readonly spanId: string } | undefined
  readonly name: string
  readonly kind: keyof typeof KINDS
  readonly startedAt: Date
  readonly endedAt: Date
  readonly attributes: Readonly<Record<string, string | number | undefined>>
  /** Why it failed, if it did. */
  readonly error?: string | undefined
}

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const

/** A count since the last one of its name and attributes, or a value. */
export interface Measured {
  readonly name: string
  readonly isCount: boolean
  readonly unit: string
  readonly attributes: Readonly<Record<string, string>>
  readonly value: number
  readonly since: Date
}

export interface Exporter {
  /** @returns how many of them were not sent; it never rejects, and takes the budget at most */
  send(spans: readonly Span[], measured: readonly Measured[]): Promise<number>
}

/** How long nothing is sent after an answer was held up, in milliseconds. */
const SILENCE = 60_000

const SCOPE = { name: 'gatehouse' }

/**
 * Traces and metrics by OTLP over HTTP. The packages read the standard variables themselves.
 * @param serviceName unless `OTEL_SERVICE_NAME` or `OTEL_RESOURCE_ATTRIBUTES` says another one
 * @param elapsed milliseconds of a clock that nobody sets
 * @param budget how long an answer may be held up, in milliseconds
 */
export function otlpExporter(serviceName: string, elapsed: () => number, budget = 100): Exporter {
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': serviceName }))
    .merge(detectResources({ detectors: [envDetector] }))
  const [traces, metrics] = [{ timeoutMillis: budget }, { timeoutMillis: budget }]
  const traceExporter = new OTLPTraceExporter(traces)
  const metricExporter = new OTLPMetricExporter(metrics)
  let silentUntil = 0

  function sendSpans(spans: readonly Span[]): Promise<boolean> {
    const all = spans.map((span) => readable(span, resource))
    return sent((done) => traceExporter.export(all, done))
  }

  function sendMetrics(measured: readonly Measured[]): Promise<boolean> {
    const end = hrTime(new Date())
    const scopeMetrics = [{ scope: SCOPE, metrics: measured.map((one) => metricOf(one, end)) }]
    return sent((done) => metricExporter.export({ resource, scopeMetrics }, done))
  }

  /** How many could not be sent. */
  async function sendAll(spans: readonly Span[], measured: readonly Measured[]): Promise<number> {
    const [areSpansSent, areMetricsSent] = await Promise.all([
      spans.length === 0 || sendSpans(spans),
      measured.length === 0 || sendMetrics(measured),
    ])
    return (areSpansSent ? 0 : spans.length) + (areMetricsSent ? 0 : measured.length)
  }

  return {
    async send(spans, measured) {
      const count = spans.length + measured.length
      if (count === 0 || elapsed() < silentUntil) return count
      const { promise: late, resolve } = Promise.withResolvers<'late'>()
      const timer = setTimeout(resolve, budget, 'late')
      const lost = await Promise.race([sendAll(spans, measured).catch(() => count), late])
      clearTimeout(timer)
      if (lost !== 'late') return lost
      silentUntil = elapsed() + SILENCE
      return count
    },
  }
}

type Resource = ReturnType<typeof defaultResource>
type ReadableSpan = Parameters<OTLPTraceExporter['export']>[0][number]
type MetricData = Parameters<OTLPMetricExporter['export']>[0]['scopeMetrics'][number]['metrics'][number]
type Done = Parameters<OTLPTraceExporter['export']>[1]

/** Functions are frozen between two calls, so a kept connection may be dead: then a second one is tried. */
async function sent(exporting: (done: Done) => void): Promise<boolean> {
  const once = () => {
    const { promise, resolve } = Promise.withResolvers<Parameters<Done>[0]>()
    exporting(resolve)
    return promise
  }
  const { code, error } = await once()
  const isDead = error !== undefined && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
  return code === 0 || (isDead && (await once()).code === 0)
}

function readable(span: Span, resource: Resource): ReadableSpan {
  const { name, kind, startedAt, endedAt, attributes, error, parentId, link } = span
  const contextOf = ({ traceId, spanId }: Pick<Span, 'traceId' | 'spanId'>) => ({
    traceId,
    spanId,
    traceFlags: TraceFlags.SAMPLED,
  })
  return {
    name,
    kind: KINDS[kind],
    spanContext: () => contextOf(span),
    ...(parentId && { parentSpanContext: { ...contextOf({ ...span, spanId: parentId }), isRemote: true } }),
    links: link ? [{ context: { ...contextOf(link), isRemote: true } }] : [],
    startTime: hrTime(startedAt),
    endTime: hrTime(endedAt),
    duration: hrTime(new Date(endedAt.getTime() - startedAt.getTime())),
    status: error === undefined ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: error },
    attributes,
    events: [],
    ended: true,
    resource,
    instrumentationScope: SCOPE,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

function metricOf({ name, unit, isCount, attributes, value, since }: Measured, endTime: HrTime): MetricData {
  const valueType = Number.isInteger(value) ? ValueType.INT : ValueType.DOUBLE
  const shared = {
    descriptor: { name, description: '', unit, valueType },
    aggregationTemporality: AggregationTemporality.DELTA,
    dataPoints: [{ startTime: hrTime(since), endTime, attributes, value }],
  }
  return isCount
    ? { ...shared, dataPointType: DataPointType.SUM, isMonotonic: true }
    : { ...shared, dataPointType: DataPointType.GAUGE }
}

/** Seconds and nanoseconds. */
function hrTime(at: Date): HrTime {
  const milliseconds = at.getTime()
  return [Math.floor(milliseconds / 1000), (milliseconds % 1000) * 1e6]
}
