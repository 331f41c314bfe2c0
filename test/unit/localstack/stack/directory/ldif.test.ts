import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Entry, parseLdif, writeLdif } from '../../../../../localstack/stack/directory/entries.ts'

/** Writes every value in Base64 and folds each line at a width. */
function toLdif(entries: readonly Entry[], width: number, newline: string): string {
  const line = (name: string, value: string) => {
    const text = `${name}:: ${Buffer.from(value).toString('base64')}`
    return text.replaceAll(new RegExp(`(.{${width}})(?=.)`, 'g'), `$1${newline} `)
  }
  return entries
    .map(({ dn, attributes }) => {
      const values = Object.entries(attributes).flatMap(([name, all]) => all.map((value) => line(name, value)))
      return [line('dn', dn), ...values].join(newline)
    })
    .join(newline + newline)
}

const text = fc.string({ unit: 'grapheme' })
const attributes = fc
  .dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.array(text, { minLength: 1, maxLength: 3 }), {
    noNullPrototype: true,
  })
  .filter((each) => !('dn' in each || 'version' in each))
const entries = fc.array(fc.record({ dn: text, attributes }))

describe('LDIF is parsed', () => {
  it('unchanged, for any values and folded lines', () => {
    const property = fc.property(
      entries,
      fc.integer({ min: 12, max: 80 }),
      fc.constantFrom('\n', '\r\n'),
      (given, width, newline) => {
        expect(parseLdif(toLdif(given, width, newline))).toEqual(given)
      },
    )
    fc.assert(property)
  })

  it('with comments, a version, folded lines and values in plain text', () => {
    const text =
      'version: 1\n# a comment\n#  folded\n  on\ndn: cn=a,\n dc=b\ncn:a\nCN:  c: d \n\n\n# nothing\n\ndn: dc=b\n'
    expect(parseLdif(text)).toEqual([
      { dn: 'cn=a,dc=b', attributes: { cn: ['a', 'c: d '] } },
      { dn: 'dc=b', attributes: {} },
    ])
  })

  it.each(['cn: a', 'dn: a\nno colon', 'dn: a\njpegPhoto:< file:///etc/passwd'])('or refused: %j', (text) => {
    expect(() => parseLdif(text)).toThrow(/^LDIF: /)
  })
})

describe('LDIF is written', () => {
  it('so that it is parsed to the same entries, for any values', () => {
    const property = fc.property(entries, (given) => {
      expect(parseLdif(writeLdif(given))).toEqual(given)
    })
    fc.assert(property)
  })

  it.each([
    ['plain text', 'cn: plain text'],
    ['ä', 'cn:: w6Q='],
  ])('with %j as %s', (value, line) => {
    expect(writeLdif([{ dn: 'dc=a', attributes: { cn: [value] } }])).toBe(`dn: dc=a\n${line}\n`)
  })
})
