import { describe, expect, it } from 'vitest'
import { CATALOG, type ErrorCode } from '../../../lib/errors.ts'
import { hasPage, prefersHtml } from '../../../lib/http/for-browsers.ts'

describe('a client that prefers HTML', () => {
  it.each([
    ['Chromium', 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8'],
    ['Lynx', 'text/html, text/plain, text/sgml, */*;q=0.01'],
    ['any text', 'text/*'],
    ['other letters', 'Text/HTML; Q=0.9'],
    ['a quality higher by a thousandth', 'application/json;q=0.998, text/html;q=0.999'],
    ['no JSON', 'application/json;q=0, */*'],
  ])('is a browser: %s', (_, accept) => expect(prefersHtml(accept)).toBe(true))

  it.each([
    ['nothing', undefined],
    ['any type, as curl sends', '*/*'],
    ['JSON and any type, as axios sends', 'application/json, text/plain, */*'],
    ['both types with equal quality', 'text/html, application/json'],
    ['all application types with a higher quality', 'text/html;q=0.5, application/*'],
    ['no HTML, but any other text type', 'text/*, text/html;q=0'],
    ['an invalid quality', 'text/html;q=high'],
    ['a quality above one', 'text/html;q=1.5'],
    ['a type with the same beginning', 'text/html-sandboxed'],
  ])('is not a client that accepts %s', (_, accept) => expect(prefersHtml(accept)).toBe(false))
})

it('there is a page for 404, 405, 500 and 503, and for a login that another site began', () => {
  const codes = Object.keys(CATALOG) as ErrorCode[]
  const paged = codes.filter(hasPage)
  expect([...new Set(paged.map((code) => CATALOG[code].status))].sort()).toEqual([403, 404, 405, 500, 503])
  expect(paged.filter((code) => CATALOG[code].status === 403)).toEqual(['CROSS_SITE_LOGIN'])
  expect(codes.filter((code) => [404, 405, 500, 503].includes(CATALOG[code].status) && !hasPage(code))).toEqual([])
})
