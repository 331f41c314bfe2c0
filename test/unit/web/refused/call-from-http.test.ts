import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aroundPage } from '../events/page-world.ts'

const AT = new Date('2026-01-02T03:04:05.678Z')

beforeEach(() => {
  vi.resetModules()
  aroundPage()
})
afterEach(() => void vi.unstubAllGlobals())

function textIn(base64: string): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)),
  )
}

async function read(text: string) {
  const { callFromHttp } = await import('../../../../web/refused/call-from-http.ts')
  const { request, ...rest } = callFromHttp('stripe', text, AT)
  return { ...rest, ...request, body: textIn(request.bodyBase64) }
}

describe('a pasted HTTP call', () => {
  it('is parsed as it was sent', async () => {
    expect(await read('POST /webhooks/stripe?a=b HTTP/1.1\nStripe-Signature: t=1,v1=2\n\n{"a":\n\n"é"}')).toMatchObject(
      {
        source: 'stripe',
        at: '2026-01-02T03:04:05.678',
        method: 'POST',
        url: '/webhooks/stripe?a=b',
        headers: { 'stripe-signature': 't=1,v1=2' },
        body: '{"a":\n\n"é"}',
      },
    )
  })

  it.each([
    ['no headers', 'POST /a\n\nbody', {}, 'body'],
    ['no body', 'POST /a\nA: b', { a: 'b' }, ''],
    ['neither', 'POST /a', {}, ''],
    ['line ends of two bytes', 'POST /a\r\nA: b\r\n\r\nbody', { a: 'b' }, 'body'],
    ['a repeated header', 'POST /a\nA: b\na: c\n\n', { a: 'b, c' }, ''],
    ['a value with a colon', 'POST /a\nHost: 127.0.0.1:3000\n\n', { host: '127.0.0.1:3000' }, ''],
    ['a line that is not a header', 'POST /a\nnothing\n: x\n\n', {}, ''],
  ])('may have %s', async (_, text, headers, body) => {
    expect(await read(text)).toMatchObject({ headers, body })
  })

  it.each(['', 'nothing', '{"a":1}', 'post /a'])('needs a request line: %j', async (text) => {
    await expect(read(text)).rejects.toThrow('request line')
  })

  it('may have the size of a webhook', async () => {
    const { callFromHttp } = await import('../../../../web/refused/call-from-http.ts')
    const body = 'x'.repeat(4 * 1024 * 1024)
    const { request } = callFromHttp('stripe', `POST /a\n\n${body}`, AT)
    expect(atob(request.bodyBase64)).toBe(body)
  })

  it('keeps any body', async () => {
    const { callFromHttp } = await import('../../../../web/refused/call-from-http.ts')
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (body) => {
        const { request } = callFromHttp('stripe', `POST /a\nA: b\n\n${body}`, AT)
        expect(textIn(request.bodyBase64)).toBe(body)
      }),
    )
  })
})
