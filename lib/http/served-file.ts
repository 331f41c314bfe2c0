import type { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { takesCoding } from './content-coding.ts'
import type { HttpEvent, Reply } from './message.ts'

export interface ServedFile {
  /** Its media type. */
  readonly type: string
  readonly gzipped: Buffer
}

/** The file as the caller takes it, or that the one that they have is still good (RFC 9110 sections 12.5.3 and 13.1.2). */
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

function isKnown(entityTag: string, { headers: { 'if-none-match': known = '' } }: HttpEvent): boolean {
  return known.split(',').some((tag) => tag.trim() === entityTag)
}
