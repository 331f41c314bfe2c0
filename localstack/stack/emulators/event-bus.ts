import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { sinceReset } from '../clock.mjs'
import { guard, machineGate } from '../guard.ts'
import { jsonIn, listening } from '../http.ts'
import type { RunPart } from '../parts.ts'

/** Entries that are kept, the oldest of them given up for the newest. */
const MAXIMUM_KEPT = 1000

/** Amazon EventBridge API Reference, PutEvents: 1 to 10 entries, each of less than 256 KB, source and type required. */
const MAXIMUM_ENTRIES = 10
const MAXIMUM_BYTES = 262_144
const MAXIMUM_TYPE = 128

type Entry = Readonly<Record<string, unknown>>

/** Stands in for EventBridge: takes what is put on any bus, and shows it at `/_kept`; there are no rules. */
export async function startEventBus(port: number, baseUrl: URL): Promise<RunPart> {
  const kept = sinceReset((): Entry[] => [])

  function put(entry: Entry) {
    const fault = faultOf(entry)
    if (fault) return { ErrorCode: fault, ErrorMessage: 'The entry is not valid.' }
    if (kept().push(entry) > MAXIMUM_KEPT) kept().shift()
    return { EventId: randomUUID() }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    if (request.method === 'GET' && request.url === '/_kept') return answer(response, 200, kept())
    if (request.headers['x-amz-target'] !== 'AWSEvents.PutEvents') return refuse(response, 'UnknownOperationException')
    const entries = entriesIn(body)
    if (entries === undefined) return refuse(response, 'ValidationException')
    const results = entries.map(put)
    answer(response, 200, { FailedEntryCount: results.filter((one) => 'ErrorCode' in one).length, Entries: results })
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  const { stop } = await listening(guard(server, machineGate(baseUrl)), port)
  return { name: 'EventBridge', ended: new Promise<never>(() => {}), stop }
}

function entriesIn(body: string): readonly Entry[] | undefined {
  const input = jsonIn(body)
  const entries = isObject(input) ? input['Entries'] : undefined
  if (!Array.isArray(entries) || !entries.every(isObject)) return undefined
  return entries.length >= 1 && entries.length <= MAXIMUM_ENTRIES ? entries : undefined
}

/** Why EventBridge would not take an entry, which is no failure of the others. */
function faultOf({ Source: source, DetailType: type, Detail: detail }: Entry): string | undefined {
  if (typeof source !== 'string' || source === '' || typeof type !== 'string' || type === '') return 'InvalidArgument'
  if (type.length > MAXIMUM_TYPE) return 'InvalidArgument'
  if (typeof detail !== 'string' || !isObject(jsonIn(detail))) return 'MalformedDetail'
  return Buffer.byteLength(source + type + detail) < MAXIMUM_BYTES ? undefined : 'InvalidArgument'
}

function isObject(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refuse(response: ServerResponse, code: string): void {
  answer(response, 400, { __type: code })
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body))
}
