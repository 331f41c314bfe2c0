import { Buffer } from 'node:buffer'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { fail, type ServiceError } from '../errors.ts'
import { clientAddress, type Networks } from '../runtime/address.ts'

/** The event that an HTTP API of API Gateway passes to a function (payload format 2.0). */
export type HttpEvent = APIGatewayProxyEventV2

export interface Reply extends APIGatewayProxyStructuredResultV2 {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
}

export const JSON_TYPE = { 'content-type': 'application/json' } as const
export const TEXT_TYPE = { 'content-type': 'text/plain; charset=utf-8' } as const

export function ok(body: object): Reply {
  return { statusCode: 200, headers: JSON_TYPE, body: JSON.stringify(body) }
}

/** @param location where the new resource can be read, if anywhere */
export function created(body: object, location?: string): Reply {
  const headers = location === undefined ? JSON_TYPE : { ...JSON_TYPE, location }
  return { statusCode: 201, headers, body: JSON.stringify(body) }
}

/** For work that continues after the answer. */
export function accepted(body: object): Reply {
  return { statusCode: 202, headers: JSON_TYPE, body: JSON.stringify(body) }
}

export function noContent(): Reply {
  return { statusCode: 204, headers: {} }
}

/** The query of a call as it stands in an address. */
export function queryOf({ rawQueryString }: HttpEvent): string {
  return rawQueryString === '' ? '' : `?${rawQueryString}`
}

/** @param location a path of this service or an address that no caller chose */
export function redirect(location: string, cookies: readonly string[] = []): Reply {
  return { statusCode: 302, headers: { location }, cookies: [...cookies] }
}

/**
 * The bytes of a body that is to be read.
 * @throws ServiceError `CODING_UNSUPPORTED` for a body under a content coding, `PAYLOAD_TOO_LARGE` above the limit
 */
export function readBody(event: HttpEvent, limitBytes: number): Buffer {
  const given = codingOf(event.headers)
  if (given !== undefined) throw fail('CODING_UNSUPPORTED', { given })
  return boundedBytes(event, limitBytes)
}

/** More than any media type that is meant. */
const LONGEST_TYPE = 128

/** The refusal of a body of another type. @param accept the types that are taken (RFC 9110 section 15.5.16) */
export function typeRefused({ headers }: HttpEvent, accept: string): ServiceError<'MEDIA_TYPE_UNSUPPORTED'> {
  const given = headers['content-type']?.slice(0, LONGEST_TYPE) ?? null
  return fail('MEDIA_TYPE_UNSUPPORTED', { given, accept })
}

/** The bytes of the body as they were sent, coded or not. @throws ServiceError `PAYLOAD_TOO_LARGE` above the limit */
export function boundedBytes(event: HttpEvent, limitBytes: number): Buffer {
  const body = sentBytes(event)
  if (body.length > limitBytes) throw fail('PAYLOAD_TOO_LARGE')
  return body
}

/**
 * No coding: `identity` is none (RFC 9110, section 8.4), and many senders write a charset in its place
 * (expressjs/body-parser#100).
 */
const NONE = new Set(['', 'identity', 'utf-8', 'utf8'])

/** More than any list of codings that is meant. */
const MAXIMUM_LENGTH = 64

/** The codings under which a body came, in lower case; undefined if there are none. */
export function codingOf(headers: Readonly<Record<string, string | undefined>>): string | undefined {
  const given = headers['content-encoding']?.toLowerCase().split(',') ?? []
  const codings = given.map((coding) => coding.trim()).filter((coding) => !NONE.has(coding))
  return codings.length === 0 ? undefined : codings.join(', ').slice(0, MAXIMUM_LENGTH)
}

/** The bytes of the body, in either encoding of the gateway. */
export function sentBytes({ body, isBase64Encoded }: HttpEvent): Buffer {
  return Buffer.from(body ?? '', encodingOf(isBase64Encoded))
}

/** How many bytes the body has. */
export function sentSize({ body, isBase64Encoded }: HttpEvent): number {
  return Buffer.byteLength(body ?? '', encodingOf(isBase64Encoded))
}

function encodingOf(isBase64Encoded: boolean): 'base64' | 'utf8' {
  return isBase64Encoded ? 'base64' : 'utf8'
}

export interface Trust {
  /** Proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: Networks
}

/** The address of the caller, as the gateway saw it or a trusted proxy in front of it. */
export function addressOf({ headers, requestContext }: HttpEvent, { trustedProxies }: Trust): string {
  return clientAddress(requestContext.http.sourceIp, headers['x-forwarded-for'], trustedProxies)
}
