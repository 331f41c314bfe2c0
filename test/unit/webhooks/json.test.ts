import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { ServiceError } from '../../../lib/errors.ts'
import { Numeral, parseJson } from '../../../lib/webhooks/json.ts'

function parse(text: string): unknown {
  return parseJson(Buffer.from(text))
}

function refusalOf(body: Buffer): string {
  try {
    parseJson(body)
  } catch (error) {
    if (error instanceof ServiceError && error.is('VALIDATION_FAILED')) {
      return error.details.validationErrors.map(({ field, message }) => `${field} ${message}`).join()
    }
    throw error
  }
  return 'none'
}

function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth)
}

/** What JSON.parse would give, with our numerals as numbers again. */
function withNumbers(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, inner) =>
    typeof inner === 'object' && inner !== null && Object.keys(inner).join() === 'text' ? Number(inner.text) : inner,
  )
}

describe('a body', () => {
  it('is parsed like JSON.parse does', () => {
    const value = fc.jsonValue().filter((json) => !JSON.stringify(json).includes('"text"'))
    fc.assert(
      fc.property(value, (json) => {
        expect(withNumbers(parse(JSON.stringify(json)))).toEqual(JSON.parse(JSON.stringify(json)))
      }),
    )
  })

  it.each(['0', '-0', '10.00', '12345678901234567890.123456789', '1e400', '1E-400', '0.1'])(
    'keeps the number %s as its text',
    (text) => {
      expect(parse(text)).toEqual(new Numeral(text))
      expect(parse(`{"a":[${text}]}`)).toEqual({ a: [new Numeral(text)] })
    },
  )

  it.each(['', ' ', '{', '{"a":}', "{'a':1}", '{"a":1,}', '01', '+1', 'NaN', 'undefined', '{}{}', '"\n"', '\u0000'])(
    'must be JSON: %j',
    (text) => {
      expect(refusalOf(Buffer.from(text))).toBe('body must be JSON')
    },
  )

  it.each([
    ['a stray byte', Buffer.from([0x22, 0xff, 0x22])],
    ['a truncated character', Buffer.from([0x22, 0xc3, 0x22])],
    ['an encoded surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['UTF-16', Buffer.from('\ufeff{}', 'utf16le')],
  ])('must be UTF-8: %s', (_, body) => {
    expect(refusalOf(body)).toBe('body must be UTF-8')
  })

  it('must not begin with a byte order mark', () => {
    expect(() => parse('\ufeff{"a":"b"}')).toThrow(ServiceError)
  })

  it('never pollutes a prototype', () => {
    const value = parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect('polluted' in {}).toBe(false)
  })
})

describe('a body nested deeper than 100', () => {
  const RULE = 'body must not be nested deeper than 100'

  it.each([
    ['lists 100 deep', nested(100), 'none'],
    ['lists 101 deep', nested(101), RULE],
    ['objects 101 deep', `${'{"a":'.repeat(101)}1${'}'.repeat(101)}`, RULE],
    ['100,000 open brackets', '['.repeat(100_000), RULE],
    ['many flat lists', `[${'[],'.repeat(1000)}[]]`, 'none'],
    ['brackets within a text', `"${'['.repeat(200)}"`, 'none'],
    ['brackets after an escaped quote', `"\\"${'['.repeat(200)}"`, 'none'],
    ['brackets after an escaped backslash', `["\\\\",${nested(100)}]`, RULE],
    ['brackets within a name', `{"${'{'.repeat(200)}":1}`, 'none'],
    ['closing brackets that hide opening ones', `${']'.repeat(200)}${'['.repeat(200)}`, 'body must be JSON'],
    ['a text without an end', `"${'['.repeat(200)}`, 'body must be JSON'],
  ])('is refused: %s', (_, text, refusal) => {
    expect(refusalOf(Buffer.from(text))).toBe(refusal)
  })

  it('H17 is refused before it is parsed, and nothing is parsed twice', () => {
    const parse = vi.spyOn(JSON, 'parse')
    expect(refusalOf(Buffer.from(nested(100_000)))).toBe(RULE)
    expect(parse).not.toHaveBeenCalled()
    expect(refusalOf(Buffer.from(`[${'9'.repeat(1_000_000)},1e${'9'.repeat(1_000_000)}]`))).toBe('none')
    expect(parse).toHaveBeenCalledOnce()
    parse.mockRestore()
  })
})
