import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { attachment } from '../../../lib/http/attachment.ts'
import { anyText } from '../../support/any-text.ts'

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
