import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { fail } from '../errors.ts'
import type { HttpEvent, Reply } from './message.ts'

export interface ServedFile {
  /** Its media type. */
  readonly type: string
  readonly gzipped: Buffer
}

/** The file in the caller's coding, or 304 if the caller's copy is still good (RFC 9110 sections 12.5.3 and 13.1.2). */
export function serveFile(event: HttpEvent, { type, gzipped }: ServedFile): Reply {
  const entityTag = `W/"${createHash('sha256').update(gzipped).digest('base64url')}"`
  const common = { 'cache-control': 'no-cache', etag: entityTag, vary: 'accept-encoding' }
  if (isKnown(entityTag, event)) return { statusCode: 304, headers: common }
  const isGzip = takesCoding(event, 'gzip')
  return {
    statusCode: 200,
    headers: { ...common, 'content-type': type, ...(isGzip && { 'content-encoding': 'gzip' }) },
    body: isGzip ? gzipped.toString('base64') : gunzipSync(gzipped).toString(),
    isBase64Encoded: isGzip,
  }
}

/**
 * A large page, compressed for a caller who accepts that. Its CSRF token differs each time, so that the size reveals
 * nothing about it (BREACH).
 */
export function compressed(event: HttpEvent, reply: Reply): Reply {
  const headers = { ...reply.headers, vary: 'accept-encoding' }
  if (!takesCoding(event, 'gzip')) return { ...reply, headers }
  const body = gzipSync(reply.body ?? '', { level: LEVEL }).toString('base64')
  return { ...reply, headers: { ...headers, 'content-encoding': 'gzip' }, body, isBase64Encoded: true }
}

/** A third of the time of zlib's usual level, for a tenth more bytes. */
const LEVEL = 4

function isKnown(entityTag: string, { headers: { 'if-none-match': known = '' } }: HttpEvent): boolean {
  return known.split(',').some((tag) => tag.trim() === entityTag)
}

/** Whether the caller names a coding, with a weight that is not zero (RFC 9110 section 12.5.3). */
function takesCoding({ headers }: HttpEvent, coding: string): boolean {
  const accepted = (headers['accept-encoding'] ?? '').split(',').map((one) => one.replaceAll(/\s/g, '').toLowerCase())
  const weighted = `${coding};q=`
  return accepted.some((one) => one === coding || (one.startsWith(weighted) && Number(one.slice(weighted.length)) > 0))
}

/** A file that pages load, as the build wrote it. */
export interface Asset {
  readonly type: string
  /** Its bytes, compressed (RFC 7932), in Base64. */
  readonly brotli: string
}

/** The name changes with the content, so browsers need not ask again (RFC 8246). */
const FOREVER = { 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' } as const

/**
 * An asset for callers who accept Brotli, and its plain bytes for the others.
 * @throws ServiceError `ENDPOINT_NOT_FOUND` without an asset
 */
export function assetReply(asset: Asset | undefined, event: HttpEvent): Reply {
  if (!asset) throw fail('ENDPOINT_NOT_FOUND')
  const headers = { ...FOREVER, 'content-type': asset.type }
  const common = { statusCode: 200, isBase64Encoded: true }
  if (takesCoding(event, 'br'))
    return { ...common, headers: { ...headers, 'content-encoding': 'br' }, body: asset.brotli }
  return { ...common, headers, body: brotliDecompressSync(Buffer.from(asset.brotli, 'base64')).toString('base64') }
}
