import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formPayload, parseFormOrJson } from '../../../lib/webhooks/form-payload.ts'
import { attempt } from '../../../lib/webhooks/json.ts'
import { anyText } from '../../support/any-text.ts'

const read = (body: string | Uint8Array) => formPayload(Buffer.from(body))?.toString()

describe('a form with the field payload', () => {
  it.each([
    ['percent-encoded', 'payload=%7B%22a%22%3A1%7D', '{"a":1}'],
    ['with blanks as plus signs', 'payload=a+b%2Bc', 'a b+c'],
    ['with unescaped characters', 'payload={"a":"é"}', '{"a":"é"}'],
    ['before another field', 'payload=a&other=b', 'a'],
    ['twice: the first counts', 'payload=a&payload=b', 'a'],
    ['an empty one', 'payload=', ''],
  ])('is parsed: %s', (_, body, value) => {
    expect(read(body)).toBe(value)
  })

  it.each(['', '{"payload":1}', 'payload', ' payload=a', 'Payload=a', 'other=a&payload=b', '"payload="'])(
    'is not a text with another beginning: %j',
    (body) => {
      expect(read(body)).toBeUndefined()
    },
  )

  it.each([
    ['half of an escape', 'payload=%7'],
    ['escapes that are not UTF-8', 'payload=%FF%FE'],
    ['bytes that are not UTF-8', Buffer.from('payload=\xff', 'latin1')],
  ])('W32 is refused with %s', (_, body) => {
    const validationErrors = [{ field: 'payload', message: 'must be percent-encoded UTF-8', rejectedValue: null }]
    expect(() => read(body)).toThrow(expect.objectContaining({ details: { validationErrors } }))
  })

  it('is parsed as URLSearchParams wrote it, for any text', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(read(new URLSearchParams({ payload: text.toWellFormed() }).toString())).toBe(text.toWellFormed())
      }),
    )
  })
})

describe('a form or JSON', () => {
  it.each<[string, string, unknown]>([
    ['JSON', '{"a":"b"}', { a: 'b' }],
    ['JSON after blanks', ' \n["a"]', ['a']],
    ['JSON in a field', 'payload=%7B%22a%22%3A%22b%22%7D', { a: 'b' }],
    ['fields, of which the last of a name counts', 'a=1&b=%26&a=2', { a: '2', b: '&' }],
    ['a field that is named like a prototype', '__proto__=x', JSON.parse('{"__proto__":"x"}')],
  ])('is parsed: %s', (_, body, value) => {
    expect(parseFormOrJson(Buffer.from(body))).toEqual(value)
  })

  it.each([
    ['nothing', '', 'body must be a form or JSON'],
    ['bytes that are not UTF-8', '\xff=1', 'body must be a form or JSON'],
    ['more than a thousand fields', 'a&'.repeat(1000), 'body must be a form or JSON'],
    ['invalid JSON', '{', 'body must be JSON'],
  ])('is refused: %s', (_, body, rule) => {
    const read = () => parseFormOrJson(Buffer.from(body, 'latin1'))
    expect(read).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
    expect(attempt(read).unreadable).toBe(`Validation failed: ${rule}`)
  })
})
