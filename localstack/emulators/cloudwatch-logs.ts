import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import * as z from 'zod/mini'
import { guard, machineGate } from '../guard.ts'
import { HOST } from '../ports.ts'
import type { RunPart } from '../supervisor.ts'
import type { LogLines, StoredLine } from './log-group.ts'

/** CloudWatch Logs API reference, PutLogEvents: 1 to 10,000 events, no empty text, in the order of time. */
const stream = { logGroupName: z.string().check(z.minLength(1)), logStreamName: z.string().check(z.minLength(1)) }
const event = z.object({ timestamp: z.int(), message: z.string().check(z.minLength(1)) })
const putInput = z.object({ ...stream, logEvents: z.array(event).check(z.minLength(1), z.maxLength(10_000)) })
const streamInput = z.object(stream)
const groupInput = z.object({ logGroupName: stream.logGroupName })

/** FilterLogEvents; the end is not included. */
const filterInput = z.object({
  logGroupName: stream.logGroupName,
  startTime: z._default(z.int(), 0),
  endTime: z.optional(z.int()),
  filterPattern: z.optional(z.string()),
  limit: z._default(z.int().check(z.minimum(1), z.maximum(10_000)), 10_000),
  nextToken: z.optional(z.string()),
})

class Fault extends Error {}

/**
 * Stands in for CloudWatch Logs, for the one group of the audit trail: the actions that the trail uses, and of filter
 * patterns the form that it writes.
 */
export async function startCloudWatchLogs(port: number, baseUrl: URL, lines: LogLines): Promise<RunPart> {
  const streams = new Set<string>()

  const actions: Readonly<Record<string, (input: unknown) => object>> = {
    CreateLogGroup: (input) => {
      read(groupInput, input)
      return {}
    },
    CreateLogStream: (input) => {
      const { logStreamName: name } = read(streamInput, input)
      if (streams.has(name)) throw new Fault('ResourceAlreadyExistsException')
      streams.add(name)
      return {}
    },
    PutLogEvents: (input) => {
      const { logStreamName, logEvents } = read(putInput, input)
      if (!streams.has(logStreamName)) throw new Fault('ResourceNotFoundException')
      const isInOrder = logEvents.every(({ timestamp }, index) => timestamp >= (logEvents[index - 1]?.timestamp ?? 0))
      if (!isInOrder) throw new Fault('InvalidParameterException')
      lines.append(logEvents.map((one) => ({ ...one, logStreamName })))
      return {}
    },
    FilterLogEvents: (input) => search(lines.all(), read(filterInput, input)),
  }

  function perform(target: string, input: unknown): object {
    const [, action = ''] = /^Logs_20140328\.(\w+)$/.exec(target) ?? []
    const run = Object.hasOwn(actions, action) ? actions[action] : undefined
    if (run) return run(input)
    throw new Fault('UnknownOperationException')
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const input = jsonIn(await text(request))
    try {
      answer(response, 200, perform(String(request.headers['x-amz-target']), input))
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      answer(response, 400, { __type: error.message })
    }
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  guard(server, machineGate(baseUrl)).listen(port, HOST)
  await once(server, 'listening')
  return {
    name: 'CloudWatch Logs',
    ended: new Promise<never>(() => {}),
    async stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function search(all: readonly StoredLine[], input: z.output<typeof filterInput>) {
  const { startTime, endTime = Number.MAX_SAFE_INTEGER, filterPattern, limit, nextToken } = input
  const isWanted = filterOf(filterPattern)
  const found = all
    .filter(({ timestamp, message }) => timestamp >= startTime && timestamp < endTime && isWanted(message))
    .toSorted((one, other) => one.timestamp - other.timestamp)
  // A token is good for its own search alone.
  const search = createHash('sha256')
    .update(JSON.stringify([startTime, endTime, filterPattern]))
    .digest('hex')
  const [, from = nextToken === undefined ? 0 : undefined] = /^(\d{1,9})\/\w+$/.exec(nextToken ?? '') ?? []
  if (from === undefined || (nextToken !== undefined && nextToken !== `${from}/${search}`)) {
    throw new Fault('InvalidParameterException')
  }
  const end = Number(from) + limit
  // AWS's command line reads when a line was taken; here that is when it was written.
  const events = found.slice(Number(from), end).map((line) => ({ ...line, ingestionTime: line.timestamp }))
  return { events, ...(end < found.length && { nextToken: `${end}/${search}` }) }
}

const TERM = /^\(\$\.(\w+) = "([^"\\*]*)"\)$/

/** `{ ($.name = "value") && … }` */
function filterOf(pattern = ''): (message: string) => boolean {
  if (pattern === '') return () => true
  const [, inner = ''] = /^\{ (.+) \}$/.exec(pattern) ?? []
  const terms = inner.split(' && ').map((term) => TERM.exec(term) ?? wrong())
  return (message) => terms.every(([, name = '', value]) => jsonIn(message)?.[name] === value)
}

function read<T extends z.core.$ZodType>(schema: T, input: unknown): z.output<T> {
  const { success, data } = z.safeParse(schema, input)
  return success ? data : wrong()
}

function wrong(): never {
  throw new Fault('InvalidParameterException')
}

function jsonIn(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body))
}
