import { Buffer } from 'node:buffer'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { attachment, serveFile } from '../../../lib/http/served-file.ts'
import { anyText } from '../../support/any-text.ts'
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

const reply = (type: string | undefined, name = 'stripe-evt_1') => attachment({ bytes: Buffer.from('x'), type, name })

describe('a payload from a sender', () => {
  it('is returned byte by byte, and is neither shown nor run', () => {
    const bytes = Buffer.from([0xff, 0x00, 0x0d, 0x0a])
    expect(attachment({ bytes, type: 'text/html', name: 'demo-1' })).toEqual({
      statusCode: 200,
      headers: {
        'content-type': 'text/html',
        'content-disposition': 'attachment; filename="demo-1.bin"',
        'content-security-policy': "sandbox; default-src 'none'",
      },
      body: bytes.toString('base64'),
      isBase64Encoded: true,
    })
  })

  it.each([
    ['Application/JSON; charset=UTF-8', 'application/json;charset=UTF-8', 'json'],
    ['application/cloudevents+json', 'application/cloudevents+json', 'json'],
    ['text/plain', 'text/plain', 'txt'],
    ['text/html, text/plain', 'application/octet-stream', 'bin'],
    ['text/plain\r\nset-cookie: a=b', 'application/octet-stream', 'bin'],
    ['text/plain; a="ä"', 'application/octet-stream', 'bin'],
    [undefined, 'application/octet-stream', 'bin'],
  ])('as %j has the type %s, and a file name that ends with .%s', (type, answered, ending) => {
    expect(reply(type).headers).toMatchObject({
      'content-type': answered,
      'content-disposition': `attachment; filename="stripe-evt_1.${ending}"`,
    })
  })

  it.each([
    ['demo-../../etc/passwd', 'demo-.._.._etc_passwd.bin'],
    ['"; filename="x.html', '_filename_x.html.bin'],
    ['.bashrc', 'bashrc.bin'],
    ['a'.repeat(300), `${'a'.repeat(100)}.bin`],
  ])('called %j is saved as %s', (name, saved) => {
    expect(reply(undefined, name).headers['content-disposition']).toBe(`attachment; filename="${saved}"`)
  })

  it('never leaves its headers', () => {
    fc.assert(
      fc.property(anyText(), anyText(), (type, name) => {
        for (const value of Object.values(reply(type, name).headers)) expect(value).toMatch(/^[ -~]+$/)
      }),
    )
  })
})
