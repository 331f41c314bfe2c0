import { Buffer } from 'node:buffer'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readForgetCommand, searchFor } from '../../../../localstack/commands/forget.ts'

describe('npx gatehouse forget', () => {
  it('only lists without --delete', () => {
    expect(readForgetCommand(['--text', ' ada@example.com '])).toEqual({
      text: 'ada@example.com',
      filter: {},
      mode: 'list',
      url: undefined,
      user: undefined,
      json: false,
    })
  })

  it('accepts a filter, and deletes, with force on request', () => {
    const filter = ['--source', 'stripe', '--from', '2026-11-01T00:00:00', '--to', '2026-11-30T00:00:00']
    expect(readForgetCommand(['--text', 'ada', ...filter, '--delete'])).toMatchObject({
      filter: { source: 'stripe', from: '2026-11-01T00:00:00', to: '2026-11-30T00:00:00' },
      mode: 'delete',
    })
    expect(readForgetCommand(['--text', 'ada', '--delete', '--force'])).toMatchObject({ mode: 'force' })
  })

  it.each([
    [['--text', ' a '], 'at least 3 characters'],
    [['--text', 'ada', '--force'], '--force needs --delete'],
    [['--text', 'ada', '--url', 'ftp://here'], 'must be an http or https address'],
  ])('refuses %j', (args, message) => {
    expect(() => readForgetCommand(args)).toThrow(message)
  })
})

const ADDRESS = 'ada@example.com'
const finds = searchFor(ADDRESS)
const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('a text is found', () => {
  it.each<[string, string | Buffer]>([
    ['unchanged', `{"email":"${ADDRESS}"}`],
    ['in another case', '{"email":"Ada@EXAMPLE.com"}'],
    ['escaped as JSON', '{"email":"ada\\u0040example.com"}'],
    ['in JSON within JSON', JSON.stringify({ raw: JSON.stringify({ raw: JSON.stringify({ email: ADDRESS }) }) })],
    ['in a form', 'a=1&email=ada%40example.com'],
    ['in JSON in a form', `payload=${encodeURIComponent('{"email":"ada\\u0040example.com"}')}`],
    ['in XML, in hexadecimal', '<email>ada&#x40;example.com</email>'],
    ['in HTML', 'ada&commat;example&period;com'],
    ['in base64 in JSON', JSON.stringify({ message: { data: base64(`{"emailAddress":"${ADDRESS}"}`) } })],
    ['in base64url', Buffer.from(`???${ADDRESS}`).toString('base64url')],
    ['in base64 after a slash', `/path/${base64(ADDRESS)}`],
    ['in base64 in lines', base64('x'.repeat(80) + ADDRESS).replace(/.{76}/, '$&\r\n')],
    ['in bytes that are not UTF-8', Buffer.concat([Buffer.from([0xff, 0xfe, 0x80]), Buffer.from(ADDRESS)])],
    ['in UTF-16', Buffer.from(ADDRESS, 'utf16le')],
    ['in UTF-16 with the higher byte first', Buffer.from(ADDRESS, 'utf16le').swap16()],
    ['in full-width letters', 'ada＠ｅｘａｍｐｌｅ．com'],
  ])('%s', (_, given) => {
    expect(finds(Buffer.from(given as string))).toBe(true)
  })

  it('with spaces, in a form', () => {
    expect(searchFor('Ada Lovelace')(Buffer.from('name=Ada+Lovelace'))).toBe(true)
  })

  it('with letters beyond ASCII, in Latin-1 and decomposed', () => {
    const jose = searchFor('José Ñandú')
    expect(jose(Buffer.from('josé ñandú', 'latin1'))).toBe(true)
    expect(jose(Buffer.from('josé ñandú'.normalize('NFD')))).toBe(true)
    expect(jose(Buffer.from('name=Jos%C3%A9+%C3%91and%C3%BA'))).toBe(true)
  })

  it('anywhere, in any JSON, form or base64 of it', () => {
    const text = fc.string({ minLength: 3, maxLength: 20, unit: 'grapheme' }).filter((one) => one.trim().length > 2)
    const writings = [
      (one: string) => JSON.stringify({ one }),
      (one: string) => new URLSearchParams({ one }).toString(),
      (one: string) => base64(JSON.stringify(one)),
    ]
    fc.assert(
      fc.property(text, fc.constantFrom(...writings), (one, write) => {
        expect(searchFor(one.trim())(Buffer.from(write(one)))).toBe(true)
      }),
    )
  })
})

describe('a text is not found', () => {
  it.each<[string, string | Buffer]>([
    ['in nothing', ''],
    ['within another address', '{"email":"bob@example.com"}'],
    ['if it is compressed', gzipSync(ADDRESS)],
  ])('%s', (_, given) => {
    expect(finds(Buffer.from(given as string))).toBe(false)
  })

  it('and nothing throws, for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(finds(Buffer.from(bytes))).toBe(false)
      }),
    )
    expect(finds(Buffer.from('&#x110000;&#9999999;%zz%\\u12\\'))).toBe(false)
  })
})
