import { Buffer } from 'node:buffer'
import * as z from 'zod/mini'
import type { InvocationResult } from '../event-source.ts'

/** An answer to the internet. */
export interface HttpAnswer {
  readonly status: number
  /** Names in lower case; only `set-cookie` may be repeated. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
}

const value = z.union([z.string(), z.number(), z.boolean()])

const structured = z.object({
  statusCode: z.int().check(z.gte(100), z.lte(599)),
  headers: z.optional(z.nullable(z.record(z.string(), value))),
  cookies: z.optional(z.nullable(z.array(z.string()))),
  body: z.optional(z.nullable(z.string())),
  isBase64Encoded: z.optional(z.nullable(z.boolean())),
})

/** The rule `challenge`, and `Server` of `ownHeaders`. */
const RENAMED: readonly string[] = ['www-authenticate', 'server']

/** The rule `ownHeaders`. */
const OWN = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']

/** What the client of an HTTP API gets for the result of a function. */
export function answerTo({ isError, payload }: InvocationResult, renamed = RENAMED): HttpAnswer {
  if (isError) return gatewayAnswer(500, 'Internal Server Error')
  const result = parsed(payload)
  if (typeof result !== 'object' || result === null || !('statusCode' in result)) return plainAnswer(payload)
  const { data, success } = z.safeParse(structured, result)
  if (!success) return gatewayAnswer(500, 'Internal Server Error')
  const body = Buffer.from(data.body ?? '', data.isBase64Encoded ? 'base64' : 'utf8')
  return {
    status: data.statusCode,
    headers: [
      ...headersOf(data.headers ?? {}, body, renamed),
      ...(data.cookies ?? []).map((cookie) => ['set-cookie', cookie] as const),
    ],
    body,
  }
}

/** An answer that no function gave. */
export function gatewayAnswer(status: number, message: string): HttpAnswer {
  return {
    status,
    headers: [['content-type', 'application/json']],
    body: Buffer.from(JSON.stringify({ message })),
  }
}

/** The rule `plainResult`. */
function plainAnswer(payload: string): HttpAnswer {
  return { status: 200, headers: [['content-type', 'application/json']], body: Buffer.from(payload) }
}

function headersOf(
  given: Readonly<Record<string, string | number | boolean>>,
  body: Buffer,
  renamed: readonly string[],
) {
  const named = Object.entries(given).map(([name, value]) => [name.toLowerCase(), String(value)] as const)
  const kept = named
    .filter(([name]) => !OWN.includes(name))
    .map(([name, value]) => [renamed.includes(name) ? `x-amzn-remapped-${name}` : name, value] as const)
  const isTyped = body.length === 0 || named.some(([name]) => name === 'content-type')
  return isTyped ? kept : [...kept, ['content-type', 'text/plain; charset=utf-8'] as const]
}

/** Undefined for what is no JSON. */
function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload)
  } catch {
    return undefined
  }
}
