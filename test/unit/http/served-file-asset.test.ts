import { Buffer } from 'node:buffer'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { fail } from '../../../lib/errors.ts'
import { type Asset, assetReply } from '../../../lib/http/served-file.ts'
import { httpEvent } from '../../support/fakes/http.ts'

const TEXT = 'export const é = 1'
const ASSET: Asset = { type: 'text/javascript; charset=utf-8', brotli: brotliCompressSync(TEXT).toString('base64') }

function replyTo(accepted?: string) {
  const {
    headers,
    body = '',
    ...rest
  } = assetReply(ASSET, httpEvent({ headers: accepted === undefined ? {} : { 'accept-encoding': accepted } }))
  const bytes = Buffer.from(body, 'base64')
  const isCompressed = headers['content-encoding'] === 'br'
  return { ...rest, headers, isCompressed, text: (isCompressed ? brotliDecompressSync(bytes) : bytes).toString() }
}

describe('an asset', () => {
  it.each(['br', 'gzip,br ; q=0.001'])('is compressed for Accept-Encoding: %s', (accepted) => {
    expect(replyTo(accepted)).toMatchObject({ isCompressed: true, text: TEXT })
  })

  it.each([undefined, 'br;q=x'])('is uncompressed for Accept-Encoding: %s', (accepted) => {
    const reply = replyTo(accepted)
    expect(reply).toMatchObject({ isCompressed: false, text: TEXT })
    expect(reply.headers).not.toHaveProperty('content-encoding')
  })

  it.each(['br', 'gzip'])('has its type, and is cached forever: %s', (accepted) => {
    expect(replyTo(accepted)).toMatchObject({
      statusCode: 200,
      isBase64Encoded: true,
      headers: {
        'content-type': ASSET.type,
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'accept-encoding',
      },
    })
  })

  it('that does not exist is refused', () => {
    expect(() => assetReply(undefined, httpEvent())).toThrow(fail('ENDPOINT_NOT_FOUND'))
  })
})
