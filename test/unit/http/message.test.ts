import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boundedBytes, created, noContent, ok, readBody, redirect } from '../../../lib/http/message.ts'
import { httpEvent } from '../../support/fakes/http.ts'

describe('readBody', () => {
  it('returns the bytes as they were sent, as a text or in Base64', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.uint8Array(), (text, bytes) => {
        expect(readBody(httpEvent({ body: text }), 10_000)).toEqual(Buffer.from(text))
        expect(readBody(httpEvent({ body: Buffer.from(bytes) }), 10_000)).toEqual(Buffer.from(bytes))
      }),
    )
  })

  it.each(['gzip', 'gzip, identity', 'utf-16'])('answers 415 to the coding "%s"', (coding) => {
    const event = httpEvent({ headers: { 'content-encoding': coding }, body: 'x' })
    expect(() => readBody(event, 10)).toThrow(expect.objectContaining({ code: 'CODING_UNSUPPORTED' }))
    expect(boundedBytes(event, 10).toString()).toBe('x')
  })

  it.each(['', 'identity', 'UTF-8', ' UTF8 ', 'identity, utf-8'])('takes "%s" for no coding', (coding) => {
    expect(readBody(httpEvent({ headers: { 'content-encoding': coding }, body: 'x' }), 10).toString()).toBe('x')
  })

  it.each([
    ['a text', 'é'.repeat(5), `${'é'.repeat(5)}x`],
    ['bytes', Buffer.alloc(10), Buffer.alloc(11)],
  ])('answers 413 above the limit, counted in bytes: %s', (_, fits, tooLarge) => {
    expect(readBody(httpEvent({ body: fits }), 10)).toHaveLength(10)
    expect(() => readBody(httpEvent({ body: tooLarge }), 10)).toThrow(
      expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }),
    )
  })
})

it('a successful answer is 200 and JSON', () => {
  expect(ok({ a: 1, b: undefined })).toEqual({
    statusCode: 200,
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
  })
})

describe('an answer', () => {
  it('to a creation is 201 with its Location', () => {
    expect(created({ id: '7' }, '/api/users/7')).toEqual({
      statusCode: 201,
      headers: { 'content-type': 'application/json', location: '/api/users/7' },
      body: '{"id":"7"}',
    })
  })

  it('to a removal is 204 without a body', () => {
    expect(noContent()).toEqual({ statusCode: 204, headers: {} })
  })

  it('to a redirect is 302 with its cookies', () => {
    expect(redirect('/')).toEqual({ statusCode: 302, headers: { location: '/' }, cookies: [] })
    expect(redirect('/', ['a=1']).cookies).toEqual(['a=1'])
  })
})
