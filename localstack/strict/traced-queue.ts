import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import * as z from 'zod/mini'
import { jsonIn, listening } from '../stack/http.ts'
import { HOST } from '../stack/ports.ts'

/** Traces of so many messages. */
const MOST = 10_000

const sent = z.union([
  z.object({ MessageId: z.string() }),
  z.object({ Successful: z.array(z.object({ MessageId: z.string() })) }),
])

const batch = z.object({ Records: z.array(z.object({ messageId: z.string() })) })

/**
 * Stands between functions and SQS, and remembers the trace of the call that sent each message: SQS keeps it as
 * `AWSTraceHeader`, which its emulator does not.
 */
export async function startTracedQueue(target: string) {
  const traces = new Map<string, string>()

  function remember(trace: string, answer: string): void {
    for (const id of messagesIn(answer)) traces.set(id, trace)
    const [...oldest] = traces.keys().take(Math.max(0, traces.size - MOST))
    for (const id of oldest) traces.delete(id)
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...headers } = request.headers
    const answer = await fetch(new URL(request.url ?? '/', target), {
      method: request.method ?? 'POST',
      headers: headers as Record<string, string>,
      body: new Uint8Array(await buffer(request)),
    })
    const body = Buffer.from(await answer.arrayBuffer())
    const trace = String(request.headers['x-amzn-trace-id'] ?? '')
    if (trace !== '') remember(trace, body.toString())
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(body)
  }

  const server = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy())
  })
  const { port, stop } = await listening(server)

  return {
    /** For `AWS_ENDPOINT_URL_SQS` of the functions. */
    url: `http://${HOST}:${port}`,
    /** The trace of the first of these messages that has one, else an empty one. */
    traceOf(event: unknown): string {
      const { data } = z.safeParse(batch, event)
      return data?.Records.map(({ messageId }) => traces.get(messageId)).find((trace) => trace !== undefined) ?? ''
    },
    stop,
  }
}

/** The ids of the messages that SQS has taken. */
function messagesIn(answer: string): readonly string[] {
  const { data } = z.safeParse(sent, jsonIn(answer))
  if (data === undefined) return []
  return 'Successful' in data ? data.Successful.map(({ MessageId }) => MessageId) : [data.MessageId]
}

/**
 * How often a function has been invoked in a chain of invocations. AWS's clients pass the trace on to queues, and queues to
 * the next invocation; Lambda counts in it.
 */
export function invocationsIn(trace: string): number {
  return Number(/;Lineage=1:[0-9a-f]+:(\d+)/.exec(trace)?.[1] ?? 0)
}

/** The trace of an invocation that follows from another one. */
export function traceAfter(trace: string): string {
  const { root } = /Root=(?<root>1-[0-9a-f]{8}-[0-9a-f]{24})/.exec(trace)?.groups ?? {}
  const parent = randomBytes(8).toString('hex')
  return `Root=${root ?? newRoot()};Parent=${parent};Sampled=1;Lineage=1:feedbeef:${invocationsIn(trace) + 1}`
}

/** An id for a new chain, with its time. */
export function newRoot(now = new Date()): string {
  const seconds = Math.floor(now.getTime() / 1000)
  return `1-${seconds.toString(16).padStart(8, '0')}-${randomBytes(12).toString('hex')}`
}
