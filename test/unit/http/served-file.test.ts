import { Buffer } from 'node:buffer'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { serveFile } from '../../../lib/http/served-file.ts'
import { httpEvent } from '../../support/fakes/http.ts'

const file = { type: 'text/css; charset=utf-8', gzipped: gzipSync('a{content:"é"}') }
const serve = (headers: Readonly<Record<string, string>> = {}) => serveFile(httpEvent({ headers }), file)

describe('a file', () => {
  it.each(['gzip', 'GZIP;q=0.5', 'deflate, gzip; q=1.0'])('is compressed for a client that accepts %s', (accepted) => {
    const { statusCode, headers, body = '', isBase64Encoded } = serve({ 'accept-encoding': accepted })
    expect([statusCode, headers['content-encoding'], isBase64Encoded]).toEqual([200, 'gzip', true])
    expect(gunzipSync(Buffer.from(body, 'base64')).toString()).toBe('a{content:"é"}')
  })

  it.each([undefined, 'br', 'gzip;q=0', 'x-gzip'])('is uncompressed for a client that accepts %s', (accepted) => {
    const { statusCode, headers, body, isBase64Encoded } = serve(
      accepted === undefined ? {} : { 'accept-encoding': accepted },
    )
    expect([statusCode, headers['content-encoding'], isBase64Encoded]).toEqual([200, undefined, false])
    expect(body).toBe('a{content:"é"}')
  })

  it('has its type, and must be validated before each use', () => {
    expect(serve().headers).toMatchObject({
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
      etag: expect.stringMatching(/^W\/"[\w-]{43}"$/),
    })
  })

  it('is not sent again to a client that has it', () => {
    const etag = serve().headers['etag'] ?? ''
    for (const list of [etag, `"x", ${etag}`]) {
      const { statusCode, headers, body } = serve({ 'if-none-match': list })
      expect([statusCode, headers['etag'], body]).toEqual([304, etag, undefined])
    }
    expect(serve({ 'if-none-match': 'W/"another"' }).statusCode).toBe(200)
  })
})
