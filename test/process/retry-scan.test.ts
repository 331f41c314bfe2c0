import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Context, ScheduledEvent } from 'aws-lambda'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { LAMBDA_ENVIRONMENT } from '../support/lambda-environment.ts'

type Index = 'due' | 'waiting'

/** The index whose queries AWS refuses, at once; those of the other are answered after that. */
let refused: Index
let hasRefused = Promise.withResolvers<void>()
let sent: string[] = []
let server: Server
let handler: (event: ScheduledEvent, context: Context) => Promise<unknown>

const DUE = { source: { S: 'payment' }, eventId: { S: 'late' }, status: { S: 'FAILED' }, attempts: { N: '1' } }

/** What each index holds: an event whose retry is due, and a replay that nobody works at. */
const HELD: Readonly<Record<Index, object>> = {
  due: { ...DUE, receivedAt: { N: '1' }, nextRetryAt: { N: '2' } },
  waiting: { replayId: { S: 'stopped' }, step: { N: '3' } },
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<readonly [number, object]> {
  const body = JSON.parse(await text(request))
  if (body.MessageBody) {
    sent.push(body.MessageBody)
    return [200, { MD5OfMessageBody: createHash('md5').update(body.MessageBody).digest('hex') }]
  }
  if (!body.IndexName) return [200, {}]
  if (body.IndexName === refused) {
    response.once('finish', hasRefused.resolve)
    return [400, { __type: 'AccessDeniedException', message: 'not allowed' }]
  }
  await hasRefused.promise
  return [200, { Items: [HELD[body.IndexName as Index]] }]
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const [status, body] = await answer(request, response)
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const queues = { RETRY_QUEUE_URL: `${url}/0/retry`, REPLAY_QUEUE_URL: `${url}/0/replay` }
  for (const [name, value] of Object.entries({ ...LAMBDA_ENVIRONMENT, ...queues, AWS_ENDPOINT_URL: url })) {
    vi.stubEnv(name, value)
  }
  handler = (await import(resolve('dist/jobs/retry-scan/index.mjs'))).handler
})

beforeEach(() => {
  hasRefused = Promise.withResolvers()
  sent = []
})

afterAll(async () => {
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
})

/** Runs the handler once. @returns how it ended, and the hints that were sent by then */
async function run() {
  const context = { awsRequestId: 'r', getRemainingTimeInMillis: () => 60_000 }
  const error: unknown = await handler({} as ScheduledEvent, context as Context).catch((cause: unknown) => cause)
  return { error, hints: sent.map((hint) => JSON.parse(hint)) }
}

it.each([
  ['the replays', 'waiting', { source: 'payment', eventId: 'late', n: 2 }],
  ['the events', 'due', { replayId: 'stopped', step: 3 }],
] as const)(
  'the retry scan sends its hints before it ends, even if it cannot read %s, and then fails',
  async (_, index, hint) => {
    refused = index
    const { error, hints } = await run()
    expect(error).toMatchObject({ name: 'AccessDeniedException' })
    expect(hints).toContainEqual(hint)
  },
)
