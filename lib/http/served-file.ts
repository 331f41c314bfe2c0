import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { MIMEType } from 'node:util'
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

/** Bytes from a foreign sender. */
interface Received {
  readonly bytes: Buffer
  /** As its sender named it; anything may stand there. */
  readonly type: string | undefined
  /** What the file is called, without its ending; of other characters than letters, digits, `.`, `_` and `-` only one is left. */
  readonly name: string
}

/** A type that no browser shows or runs. */
const UNKNOWN = 'application/octet-stream'

/** Those of files in which nothing can run, wherever they are opened. */
const ENDINGS = [
  [/[/+]json$/, 'json'],
  [/^text\/plain$/, 'txt'],
] as const

const MAXIMUM_NAME = 100

/** The bytes as they came, as a file to keep: a browser neither shows nor runs it here. */
export function attachment({ bytes, type, name }: Received): Reply {
  const known = readType(type)
  const ending = ENDINGS.find(([form]) => form.test(known?.essence ?? ''))?.[1] ?? 'bin'
  return {
    statusCode: 200,
    headers: {
      'content-type': known?.toString() ?? UNKNOWN,
      'content-disposition': `attachment; filename="${plain(name)}.${ending}"`,
      'content-security-policy': "sandbox; default-src 'none'",
    },
    body: bytes.toString('base64'),
    isBase64Encoded: true,
  }
}

/** Undefined for an invalid media type, or one that a header cannot contain. */
function readType(text = ''): MIMEType | undefined {
  try {
    const type = new MIMEType(text)
    return /^[ -~]+$/.test(type.toString()) ? type : undefined
  } catch {
    return undefined
  }
}

/** No name of a file begins with a dot or a dash. */
function plain(name: string): string {
  return name
    .replaceAll(/[^\w.-]+/g, '_')
    .replace(/^[.-]+/, '')
    .slice(0, MAXIMUM_NAME)
}
