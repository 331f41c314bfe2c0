import { Buffer } from 'node:buffer'
import { brotliDecompressSync } from 'node:zlib'
import { fail } from '../errors.ts'
import { takesCoding } from './content-coding.ts'
import type { HttpEvent, Reply } from './message.ts'

/** A file that pages load, as the build left it. */
export interface Asset {
  readonly type: string
  /** Its bytes, compressed (RFC 7932), in Base64. */
  readonly brotli: string
}

/** The name changes with the content, so nobody has to ask twice (RFC 8246). */
const FOREVER = { 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' } as const

/**
 * An asset for everybody who takes Brotli, and its plain bytes for the others.
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
