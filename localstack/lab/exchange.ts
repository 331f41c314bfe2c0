import { type IncomingMessage, request as send } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { HOST } from '../ports.ts'

export type HeaderPair = readonly [name: string, value: string]

/** An answer that the lab passes on or makes itself. Names of headers are in lower case. */
export interface LabAnswer {
  readonly status: number
  readonly headers: readonly HeaderPair[]
  readonly body: Buffer
}

/** A request to the real endpoint. Names of headers are in lower case. */
export interface LabRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: readonly HeaderPair[]
}

/** RFC 9110 section 7.6.1, and what Node writes itself. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]

/** The headers of a message as they were sent, without what concerns only this connection or was added on the way. */
export function sentHeaders({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): readonly HeaderPair[] {
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
  const pairs = names.map((name, index): HeaderPair => [name, rawHeaders[2 * index + 1] ?? ''])
  return pairs.filter(([name]) => !name.startsWith(':') && !HOP_BY_HOP.includes(name))
}

export function headerIn(headers: readonly HeaderPair[], name: string): string | undefined {
  return headers.find(([given]) => given === name)?.[1]
}

/** @param value undefined removes the header */
export function withHeader(
  headers: readonly HeaderPair[],
  name: string,
  value: string | undefined,
): readonly HeaderPair[] {
  const others = headers.filter(([given]) => given !== name)
  return value === undefined ? others : [...others, [name, value]]
}

/** Sends a request to the gateway of this run, with the body of another one. @throws Error when it does not answer */
export async function passOn(
  { method, target, headers }: LabRequest,
  body: IncomingMessage,
  port: number,
): Promise<LabAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const outgoing = send({ host: HOST, port, method, path: target, headers: headers.flat() }, resolve).on(
    'error',
    reject,
  )
  body.pipe(outgoing)
  const answer = await promise
  return { status: answer.statusCode ?? 500, headers: sentHeaders(answer), body: await buffer(answer) }
}
