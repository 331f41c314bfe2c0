import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CATALOG, type ErrorCode } from '../../../lib/errors.ts'
import { hasPage, prefersHtml } from '../../../lib/http/for-browsers.ts'
import { anyText } from '../../support/any-text.ts'

describe('somebody who prefers HTML', () => {
  it.each([
    ['Chromium', 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8'],
    ['Firefox', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
    ['Lynx', 'text/html, text/plain, text/sgml, */*;q=0.01'],
    ['HTML alone', 'text/html'],
    ['any text', 'text/*'],
    ['other letters', 'Text/HTML; Q=0.9'],
    ['a quality with blanks', 'text/html ; q=0.9 , application/json ; q=0.8'],
    ['a thousandth more', 'application/json;q=0.998, text/html;q=0.999'],
    ['no JSON', 'application/json;q=0, */*'],
    ['a parameter besides', 'text/html;charset=utf-8, */*;q=0.1'],
  ])('is a browser: %s', (_, accept) => expect(prefersHtml(accept)).toBe(true))

  it.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['anything, as curl does', '*/*'],
    ['JSON', 'application/json'],
    ['JSON and anything, as axios does', 'application/json, text/plain, */*'],
    ['both as gladly', 'text/html, application/json'],
    ['both as gladly, the other way round', 'application/json, text/html'],
    ['HTML and anything as gladly', 'text/html, */*'],
    ['JSON more', 'text/html;q=0.8, application/json'],
    ['JSON a thousandth more', 'text/html;q=0.998, application/json;q=0.999'],
    ['all of applications more', 'text/html;q=0.5, application/*'],
    ['no HTML', 'text/html;q=0'],
    ['no HTML, but any other text', 'text/*, text/html;q=0'],
    ['a quality that is none', 'text/html;q=high'],
    ['a quality beyond one', 'text/html;q=1.5'],
    ['a type that begins alike', 'text/html-sandboxed'],
    ['HTML inside another name', 'x-text/html'],
  ])('is not a client that takes %s', (_, accept) => expect(prefersHtml(accept)).toBe(false))

  it('is decided without a throw, whatever Accept says', () => {
    fc.assert(
      fc.property(anyText(), (accept) => {
        expect(prefersHtml(accept)).toBeTypeOf('boolean')
      }),
    )
  })
})

it('there is a page for 404, 405, 500 and 503, and for a login that another site began', () => {
  const codes = Object.keys(CATALOG) as ErrorCode[]
  const paged = codes.filter(hasPage)
  expect([...new Set(paged.map((code) => CATALOG[code].status))].sort()).toEqual([403, 404, 405, 500, 503])
  expect(paged.filter((code) => CATALOG[code].status === 403)).toEqual(['CROSS_SITE_LOGIN'])
  expect(codes.filter((code) => [404, 405, 500, 503].includes(CATALOG[code].status) && !hasPage(code))).toEqual([])
})
