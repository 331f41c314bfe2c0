import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { otlpExporter, type Span } from '../../../lib/adapters/otlp/exporter.ts'
import { telemetryOf } from '../../../lib/app/telemetry.ts'
import type { Correlation } from '../../../lib/runtime/trace.ts'
import { eventTraceId } from '../../../lib/runtime/trace.ts'
import { A_TRACEPARENT, deliveredEvent } from '../../support/delivered-event.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { recordingMetrics } from '../../support/fakes/metrics.ts'

/** A message of protobuf by the numbers of its fields, which opentelemetry-proto gives. */
type Message = ReadonlyMap<number, readonly (Buffer | bigint)[]>

function messageIn(bytes: Uint8Array): Message {
  const reader = new BinaryReader(bytes)
  const fields = new Map<number, (Buffer | bigint)[]>()
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag()
    fields.set(number, [...(fields.get(number) ?? []), valueIn(reader, type)])
  }
  return fields
}

function valueIn(reader: BinaryReader, type: WireType): Buffer | bigint {
  if (type === WireType.LengthDelimited) return Buffer.from(reader.bytes())
  if (type === WireType.Bit64) return BigInt(reader.fixed64())
  return BigInt(type === WireType.Bit32 ? reader.fixed32() : reader.uint64())
}

const messages = (of: Message, field: number) => (of.get(field) ?? []).map((one) => messageIn(one as Buffer))
const textOf = (of: Message, field: number, encoding: BufferEncoding = 'utf8') =>
  (of.get(field)?.[0] as Buffer | undefined)?.toString(encoding)

/** The innermost messages of a request: its spans, or its metrics. */
const itemsIn = (body: Buffer) =>
  messages(messageIn(body), 1).flatMap((resource) => messages(resource, 2).flatMap((scope) => messages(scope, 2)))

const spanOf = (span: Message) => ({
  traceId: textOf(span, 1, 'hex'),
  spanId: textOf(span, 2, 'hex'),
  parentId: textOf(span, 4, 'hex') || undefined,
  name: textOf(span, 5),
  links: messages(span, 13).map((link) => [textOf(link, 1, 'hex'), textOf(link, 2, 'hex')]),
  error: messages(span, 15).map((status) => textOf(status, 2))[0],
})

/** Of exporters whose receiver answers, on a busy machine, in milliseconds. */
const PATIENT = 1000

let answer: (response: ServerResponse) => void
let received: { readonly path: string; readonly body: Buffer }[]

beforeEach(async () => {
  answer = (response) => void response.end()
  received = []
  const server = createServer(async (request, response) => {
    received.push({ path: `${request.url}`, body: await buffer(request) })
    answer(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return () => {
    server.closeAllConnections()
    server.close()
  }
})
afterEach(() => void vi.unstubAllEnvs())

const KEY = { source: 'stripe', eventId: 'evt_1' }
const TRACE = eventTraceId(KEY)
const ROOT = TRACE.slice(0, 16)

/** A function with its own telemetry, in the middle of its work on the event. */
function working(place: 'intake' | 'worker', ids: Correlation) {
  const metrics = { ...recordingMetrics(), publish: () => {} }
  const clock = fixedClock()
  const work: Correlation = { ...KEY, traceId: TRACE, ...ids }
  const telemetry = telemetryOf('gatehouse-test', place, metrics, clock, () => work, PATIENT)
  return { telemetry, metrics, clock, audit: telemetry.audited({ decided() {} }) }
}

function callOf(traceparent: string | undefined, statusCode = 200) {
  const event = { headers: { ...(traceparent && { traceparent }) }, requestContext: { timeEpoch: START.getTime() } }
  return { event, response: { statusCode } } as never
}

const spansAt = () =>
  received.filter(({ path }) => path === '/v1/traces').flatMap(({ body }) => itemsIn(body).map(spanOf))

describe('the trace of an event', () => {
  it('connects its intake, a retry and a delivery, which run in functions of their own', async () => {
    const intake = working('intake', { requestId: 'call-1' })
    intake.audit.decided('received', KEY)
    await intake.telemetry.flush(callOf(A_TRACEPARENT))

    const again = working('intake', { requestId: 'call-2' })
    again.audit.decided('duplicate', KEY)
    await again.telemetry.flush(callOf(undefined))

    const retry = working('worker', { messageId: 'm-1' })
    retry.audit.decided('retried', KEY)
    retry.audit.decided('failed', KEY)
    await retry.telemetry.flush()

    const deliver = working('worker', { messageId: 'm-2' })
    const { carry } = deliver.telemetry.carrying('crm', {
      carry: async () => ({ kind: 'failed', answer: 'HTTP 503' }),
    })
    const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`
    await carry({ event: deliveredEvent(KEY), attempt: 2, traceparent, at: START })
    await deliver.telemetry.flush()

    const [, callerTrace, callerSpan] = A_TRACEPARENT.split('-')
    const spanId = expect.stringMatching(/^(?!0{16})[0-9a-f]{16}$/)
    expect(spansAt()).toEqual([
      { traceId: TRACE, spanId: ROOT, name: 'receive stripe', links: [[callerTrace, callerSpan]] },
      { traceId: TRACE, spanId, parentId: ROOT, name: 'receive stripe', links: [] },
      { traceId: TRACE, spanId, parentId: ROOT, name: 'process stripe', links: [], error: 'failed' },
      {
        ...{ traceId: TRACE, spanId: '00f067aa0ba902b7', parentId: ROOT },
        ...{ name: 'deliver crm', links: [], error: 'HTTP 503' },
      },
    ])
  })

  it('has no span for a call that was refused before its event was known', async () => {
    const { telemetry, audit } = working('intake', { requestId: 'call-1', eventId: undefined } as never)
    audit.decided('refused', { source: 'stripe' })
    await telemetry.flush(callOf(A_TRACEPARENT, 401))
    expect(received).toEqual([])
  })

  it('shows an attempt that this service failed', async () => {
    const { telemetry } = working('worker', { messageId: 'm-1' })
    const { carry } = telemetry.carrying('crm', { carry: () => Promise.reject(new Error('no secrets')) })
    await expect(
      carry({ event: deliveredEvent(), attempt: 1, traceparent: A_TRACEPARENT, at: START }),
    ).rejects.toThrow()
    await telemetry.flush()
    expect(spansAt()).toMatchObject([{ error: 'this service failed' }])
  })
})

it('the metrics are sums since the last ones, and the greatest of what was measured', async () => {
  const { telemetry, metrics } = working('worker', {})
  telemetry.metrics.count('DeadDeliveries', { destination: 'crm' }, true)
  telemetry.metrics.count('DeadDeliveries', { destination: 'crm' })
  telemetry.metrics.measure('OldestDueAge', 7)
  telemetry.metrics.measure('OldestDueAge', 5)
  await telemetry.flush()
  await telemetry.flush()
  expect(received.map(({ path }) => path)).toEqual(['/v1/metrics'])
  const [counted, measured] = received.flatMap(({ body }) => itemsIn(body))
  const pointsOf = (metric: Message | undefined, field: number) =>
    metric && messages(metric, field).flatMap((data) => messages(data, 1).map((point) => point.get(6)?.[0]))
  expect([counted && textOf(counted, 1), pointsOf(counted, 7)]).toEqual(['gatehouse.dead_deliveries', [2n]])
  expect([measured && textOf(measured, 1), pointsOf(measured, 5)]).toEqual(['gatehouse.oldest_due_age', [7n]])
  expect([metrics.counted.length, metrics.measured.length]).toEqual([2, 2])
})

const SPAN: Span = {
  ...{ traceId: TRACE, spanId: ROOT, name: 'receive stripe', kind: 'server', attributes: {} },
  ...{ startedAt: START, endedAt: START },
}

describe('an exporter', () => {
  it('that hangs holds up one call in a minute, and what is not sent is told', async () => {
    answer = () => {}
    let time = 0
    const { send } = otlpExporter('gatehouse-test', () => time, PATIENT)
    expect(await send([SPAN, SPAN], [])).toBe(2)
    time = 59_999
    expect([await send([SPAN], []), received.length]).toEqual([1, 1])
    time = 60_000
    answer = (response) => void response.end()
    expect([await send([SPAN], []), received.length]).toEqual([0, 2])
  })

  it.each([
    ['is busy', (response: ServerResponse) => void response.writeHead(503).end()],
    ['refuses', (response: ServerResponse) => void response.writeHead(400).end()],
    ['ends the connection', (response: ServerResponse) => void response.destroy()],
  ])('that %s loses what was due, which is counted', async (_, bad) => {
    answer = bad
    const { telemetry, metrics } = working('worker', { messageId: 'm-1' })
    telemetry.metrics.count('Delivered')
    await telemetry.flush()
    expect(metrics.counted).toEqual([
      ['Delivered', {}],
      ['TelemetryDropped', {}],
    ])
  })

  it.each([
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=b%0Ac'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:1'],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', 'soon'],
  ])('that a wrong %s keeps from sending fails no call: %s', async (name, value) => {
    vi.stubEnv(name, value)
    const lost = await otlpExporter('gatehouse-test', () => 0, PATIENT).send([SPAN], [])
    expect(lost).toBe(name.endsWith('TIMEOUT') ? 0 : 1)
  })

  it('whose kept connection is dead gets what was due on another one', async () => {
    const { send } = otlpExporter('gatehouse-test', () => 0, PATIENT)
    await send([SPAN], [])
    let count = 0
    answer = (response) => void (count++ === 0 ? response.socket?.resetAndDestroy() : response.end())
    expect([await send([SPAN], []), count]).toEqual([0, 2])
  })

  it('is given the name of the service, unless the environment says another', async () => {
    const nameIn = (body: Buffer | undefined) => body?.toString('latin1').match(/(?:gatehouse|shop)-test/)?.[0]
    await otlpExporter('gatehouse-test', () => 0, PATIENT).send([SPAN], [])
    vi.stubEnv('OTEL_SERVICE_NAME', 'shop-test')
    await otlpExporter('gatehouse-test', () => 0, PATIENT).send([SPAN], [])
    expect(received.map(({ body }) => nameIn(body))).toEqual(['gatehouse-test', 'shop-test'])
  })
})
