import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DeleteCommand, DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { eventTraceId } from '../../lib/runtime/trace.ts'
import { adminHeaders } from '../../test/support/admin-headers.ts'
import { copyProject } from '../../test/support/copy-project.ts'
import { freeOffset, type Stack, startStack, temporaryFolder } from '../../test/support/stack.ts'

const FAILING = { source: 'payment', eventId: 'evt-failing' }
const GOOD = { source: 'payment', eventId: 'evt-good' }
const CALLER = '0af7651916cd43dd8448eb211c80319c'
const TRACE = eventTraceId(FAILING)

const project = temporaryFolder()
const data = temporaryFolder()
const told: { readonly event: unknown; readonly traceparent: unknown }[] = []
const receiver = createServer((request, response) => {
  const { 'gatehouse-event': event, traceparent } = request.headers
  told.push({ event, traceparent })
  request.resume().on('end', () => response.writeHead(toldOf(FAILING).length === 1 ? 503 : 204).end())
})
let stack: Stack
let table: DynamoDBDocumentClient

beforeAll(async () => {
  receiver.listen(0, '127.0.0.1')
  await vi.waitUntil(() => receiver.listening)
  copyProject(process.cwd(), project.path)
  const { port } = receiver.address() as AddressInfo
  const crm = `{ to: 'http', url: byStage({ local: 'http://127.0.0.1:${port}/' }), from: { payment: ['**'] }, retry: [1] }`
  const config = `import { byStage, defineConfig } from 'gatehouse'\nexport default defineConfig({ destinations: { crm: ${crm} } })\n`
  writeFileSync(join(project.path, 'gatehouse.config.ts'), config)
  const environment = {
    PORT_OFFSET: String(await freeOffset()),
    DATA_DIR: data.path,
    WEBHOOK_RETRY_DELAY_MINUTES: '0.01,10',
    WEBHOOK_RETRY_SCAN_INTERVAL_MS: '1000',
  }
  stack = await startStack(environment, ['env', '-C', project.path])
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const client = new DynamoDBClient({ region: 'eu-central-1', endpoint: stack.ready.dynamodb, credentials })
  table = DynamoDBDocumentClient.from(client)
  await live()
}, 240_000)

afterAll(async () => {
  await stack?.stop()
  receiver.close()
  project.remove()
  data.remove()
})

const until = <T>(what: () => T | Promise<T>) => vi.waitUntil(what, { timeout: 60_000, interval: 100 })
const toldOf = ({ eventId }: typeof FAILING) => told.filter(({ event }) => event === eventId)

interface Line extends Readonly<Record<string, unknown>> {
  readonly timestamp: string
}

/** What the functions and the container wrote, without the numbers. */
function lines(): readonly Line[] {
  const texts = readFileSync(join(data.path, 'gatehouse.log'), 'utf8').split('\n')
  return texts.flatMap((text) => (/^\{.*"level":/.test(text) ? [JSON.parse(text)] : []))
}

const inOrder = (one: Line, other: Line) => Date.parse(one.timestamp) - Date.parse(other.timestamp)

/** `filter traceId = '…' | sort @timestamp` */
const traced = (trace: string) =>
  lines()
    .filter(({ traceId }) => traceId === trace)
    .toSorted(inOrder)

async function post(path: string, body: object, headers: Readonly<Record<string, string>> = {}) {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }
  return (await fetch(`${stack.ready.http}${path}`, init)).status
}

const payment = (eventId: string, orderId: string) => ({
  eventId,
  transactionId: 'tx-1',
  orderId,
  status: 'COMPLETED',
  amount: '1.00',
  currency: 'EUR',
})

/** One event fails at its intake and from the queue, is rescued by a scan, replayed, and delivered at the second try. */
async function live(): Promise<void> {
  const decisions = (...wanted: readonly string[]) =>
    until(() => wanted.every((decision) => traced(TRACE).some((line) => line['decision'] === decision)))
  const runs = (count: number) =>
    until(() => traced(TRACE).filter(({ decision }) => decision === 'retried').length === count)
  expect(await post('/webhooks/payment', payment(GOOD.eventId, 'o-1'))).toBe(200)
  const traceparent = `00-${CALLER}-b7ad6b7169203331-01`
  expect(await post('/webhooks/payment', payment(FAILING.eventId, 'o-2'), { traceparent })).toBe(500)
  await runs(1)
  await until(() => traced(TRACE).filter(({ decision }) => decision === 'failed').length === 2)
  // The hint for the next run comes in ten minutes: now only the scan can find the row.
  await table.send(
    new UpdateCommand({
      TableName: 'gatehouse-local-events',
      Key: FAILING,
      UpdateExpression: 'SET nextRetryAt = :now, sweepAt = :now',
      ExpressionAttributeValues: { ':now': Date.now() },
    }),
  )
  await runs(2)
  await until(() => traced(TRACE).filter(({ decision }) => decision === 'failed').length === 3)
  await table.send(new DeleteCommand({ TableName: 'gatehouse-local-payments', Key: { transactionId: 'tx-1' } }))
  const replay = { replayId: 'r-1', filter: { source: 'payment' }, reason: 'the payment was wrong' }
  expect(await post('/api/webhooks/replays', replay, await adminHeaders(stack.ready))).toBe(202)
  await decisions('processed')
  await until(() => toldOf(FAILING).length === 2)
  await until(() => traced(TRACE).some(({ outcome }) => outcome === 'delivered'))
}

/** What is told of an event besides the decisions on it. */
const STEPS = ['request refused', 'woken by the scan', 'delivery']

/** A scan may come before the hint of the same run: then the second of the two finds nothing to do. */
const MAY_COME = ['woken by the scan', 'dropped']

const nameOf = ({ decision, outcome, message }: Line) => `${decision ?? outcome ?? message}`
const isSure = (name: string) => !MAY_COME.includes(name)

describe('an event that fails, is retried, rescued, replayed and delivered', () => {
  it('leaves lines of one trace in order, from its intake to its end', () => {
    const steps = traced(TRACE).filter(
      ({ decision, message }) => decision !== undefined || STEPS.includes(`${message}`),
    )
    const isOfDelivery = ({ destination }: Line) => destination !== undefined
    const names = steps.filter((step) => !isOfDelivery(step)).map(nameOf)
    const again = ['retried', 'failed']
    expect(names.filter(isSure)).toEqual([
      ...['failed', 'request refused', ...again, ...again],
      ...['replayed', 'retried', 'processed'],
    ])
    const betweenRuns = names.slice(names.indexOf('failed', 1), names.lastIndexOf('failed'))
    expect(betweenRuns).toContain('woken by the scan')
    expect(steps.filter(isOfDelivery).map(nameOf).filter(isSure)).toEqual(['failed', 'delivered'])
  })

  it('records the trace of its caller, which is no part of its own trace', () => {
    const [intake] = traced(TRACE)
    expect(intake).toMatchObject({ callerTraceId: CALLER, traceId: TRACE })
    expect(traced(CALLER)).toEqual([])
  })

  it('arrives with its trace, and with the span that the log lines of the attempt have', () => {
    const spans = new Set(traced(TRACE).flatMap(({ spanId }) => (spanId === undefined ? [] : [`${spanId}`])))
    expect(toldOf(FAILING).map(({ traceparent }) => traceparent)).toEqual(
      Array.from(spans, (span) => `00-${TRACE}-${span}-01`),
    )
  })

  it('has its own trace, without the lines of another event', () => {
    expect(traced(TRACE).filter(({ eventId }) => eventId === GOOD.eventId)).toEqual([])
    const steps = traced(eventTraceId(GOOD)).filter(({ decision, outcome }) => decision ?? outcome)
    expect(steps.map(nameOf).filter(isSure)).toEqual(['processed', 'delivered'])
    expect(toldOf(GOOD)).toEqual([
      { event: GOOD.eventId, traceparent: expect.stringMatching(`^00-${eventTraceId(GOOD)}-`) },
    ])
  })
})

it('every line has an id: of a call, of a message, or of the process for its own work', () => {
  expect(lines().length).toBeGreaterThan(20)
  const nameless = lines().filter(({ requestId, messageId, instance }) => !(requestId ?? messageId ?? instance))
  expect(nameless).toEqual([])
  const untraced = lines().filter(({ traceId, instance }) => !(traceId || instance))
  expect(untraced).toEqual([])
})
