import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fail } from '../../../lib/errors.ts'
import { fieldsOfForm, isJson } from '../../../lib/webhooks/form-payload.ts'
import { anyText } from '../../support/any-text.ts'

const read = (body: string | Uint8Array) => {
  const fields = fieldsOfForm(Buffer.from(body))
  return fields && [...fields]
}

const TOO_LARGE = expect.objectContaining({ code: fail('PAYLOAD_TOO_LARGE').code })

describe('a form', () => {
  it.each<[string, readonly (readonly [string, string])[]]>([
    [
      'a=1&b=%C3%A9+x',
      [
        ['a', '1'],
        ['b', 'é x'],
      ],
    ],
    ['a=1&a=2', [['a', '2']]],
    ['a', [['a', '']]],
    ['', []],
    ['"a"', [['"a"', '']]],
  ])('is parsed with any content type: %s', (body, fields) => {
    expect(read(body)).toEqual(fields)
  })

  it.each(['{', '[', ' {"a":1}', '\r\n\t[]', '{a=1}'])('is not a text that begins as JSON: %j', (body) => {
    expect(read(body)).toBeUndefined()
    expect(isJson(Buffer.from(body))).toBe(true)
  })

  it('is empty if it is not UTF-8', () => {
    expect(read(Buffer.from('a=\xff', 'latin1'))).toEqual([])
  })

  it('W38 has at most a thousand fields', () => {
    expect(read('a&'.repeat(999))).toHaveLength(1)
    expect(() => read('a&'.repeat(1000))).toThrow(TOO_LARGE)
  })
})

interface Part {
  readonly name: string
  readonly value: string
  readonly file?: string | undefined
}

/** RFC 7578, as `FormData` is written. */
function written(boundary: string, parts: readonly Part[]): Buffer {
  const texts = parts.map(({ name, value, file }) => {
    const more = file === undefined ? '' : `; filename="${file}"\r\nContent-Type: text/plain`
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
  })
  return Buffer.from(`${texts.join('')}--${boundary}--\r\n`)
}

describe('a multipart form', () => {
  const boundaries = fc.stringMatching(/^[0-9a-zA-Z'()+_,./:=?-]{1,70}$/)
  const names = fc.stringMatching(/^[^"\r\n\ud800-\udfff]{1,20}$/)
  const parts = fc.array(fc.record({ name: names, value: anyText(), file: fc.option(names, { nil: undefined }) }), {
    maxLength: 8,
  })

  it('returns its fields and no file, for any boundary', () => {
    fc.assert(
      fc.property(boundaries, parts, (boundary, given) => {
        const clean = given.map((part) => ({
          ...part,
          value: part.value.toWellFormed().replaceAll(`\r\n--${boundary}`, ''),
        }))
        const wanted = new Map(clean.flatMap(({ name, value, file }) => (file === undefined ? [[name, value]] : [])))
        expect(fieldsOfForm(written(boundary, clean))).toEqual(wanted)
      }),
    )
  })

  it('is parsed as FormData writes it', async () => {
    const form = new FormData()
    form.append('token', 'é\r\n--')
    form.append('attachment-1', new Blob(['token']), 'token')
    form.append('timestamp', '1')
    const body = await new Response(form).arrayBuffer()
    expect(read(new Uint8Array(body))).toEqual([
      ['token', 'é\r\n--'],
      ['timestamp', '1'],
    ])
  })

  it.each([
    ['no part', '--x--\r\n', []],
    ['a part without an end', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1', []],
    ['a part without a body', '--x\r\nContent-Disposition: form-data; name="a"\r\n--x--', []],
    ['a part without a name', '--x\r\nContent-Disposition: form-data\r\n\r\n1\r\n--x--', []],
    ['other headers', '--x\r\nA: b\r\ncontent-disposition:form-data;name="a"\r\nC: d\r\n\r\n1\r\n--x--', [['a', '1']]],
    [
      'a file in another spelling',
      `--x\r\nContent-Disposition: form-data; name="a"; filename*=UTF-8''a\r\n\r\n1\r\n--x--`,
      [],
    ],
    [
      'a field name in the content',
      '--x\r\nA: b\r\n\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--',
      [],
    ],
  ])('with %s is parsed as far as possible', (_, body, fields) => {
    expect(read(body)).toEqual(fields)
  })

  it('W38 has at most a thousand parts', () => {
    const some = (count: number) => written('x', Array(count).fill({ name: 'a', value: '1' }))
    expect(read(some(999))).toEqual([['a', '1']])
    expect(() => read(some(1000))).toThrow(TOO_LARGE)
  })
})
