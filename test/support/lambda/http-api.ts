import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { answerTo, eventOf, type HttpAnswer, type HttpRequest } from '../../../localstack/strict/http-api.ts'
import { findRoute } from '../../../localstack/strict/routes.ts'
import type { Answer } from '../client.ts'
import { declaredRoutes } from '../declared-routes.ts'
import { behindEdge } from '../edge.ts'

export type { HttpRequest } from '../../../localstack/strict/http-api.ts'

/** Where the HTTP API of these tests would be. */
export const DOMAIN = 'gatehouse.execute-api.eu-central-1.amazonaws.com'

const SOURCE_ADDRESS = '203.0.113.7'

const routes = declaredRoutes()

/** What an HTTP API hands to the function that a request is for. */
export function httpApiEvent(request: HttpRequest): object {
  const { method = 'GET', target } = request
  const [path = ''] = target.split('?')
  const route = findRoute(routes, method, path)
  if (!route) throw new Error(`no route for ${method} ${path}`)
  return eventOf(request, route, { domain: DOMAIN, sourceAddress: SOURCE_ADDRESS, at: new Date() })
}

const identity = (bytes: Buffer) => bytes
const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync }

/** What a client behind CloudFront gets for the result of a function. */
export async function answerOf(payload: string): Promise<Answer> {
  const { status, headers, body } = await behindEdge(answerTo({ isError: false, payload }))
  const decode = DECODERS[headers.find(([name]) => name === 'content-encoding')?.[1] ?? ''] ?? identity
  const text = decode(body).toString('utf8')
  const byName = joined(headers)
  const isJson = String(byName['content-type']).includes('json') && text !== ''
  return { status, headers: byName, text, json: isJson ? JSON.parse(text) : undefined }
}

function joined(headers: HttpAnswer['headers']): Answer['headers'] {
  const cookies = headers.filter(([name]) => name === 'set-cookie').map(([, value]) => value)
  const others = headers.filter(([name]) => name !== 'set-cookie')
  return { ...Object.fromEntries(others), ...(cookies.length > 0 && { 'set-cookie': cookies }) }
}
