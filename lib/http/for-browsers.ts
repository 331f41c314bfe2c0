import { CATALOG, type ErrorCode } from '../errors.ts'

/**
 * Failures that a person meets who follows a link or types an address; others are for the script that made the call.
 */
const STATUSES: readonly number[] = [404, 405, 500, 503]

/** Whether browsers are shown a page for a failure. */
export function hasPage(code: ErrorCode): boolean {
  return code === 'CROSS_SITE_LOGIN' || STATUSES.includes(CATALOG[code].status)
}

/**
 * Whether a request prefers HTML to JSON (RFC 9110 section 12.5.1). A client that takes anything, or both equally, is no
 * browser.
 * @param accept the value of `Accept`
 */
export function prefersHtml(accept = ''): boolean {
  const ranges = new Map(accept.toLowerCase().split(',').map(readRange))
  const qualityOf = (type: string, subtype: string) =>
    ranges.get(`${type}/${subtype}`) ?? ranges.get(`${type}/*`) ?? ranges.get('*/*') ?? 0
  return qualityOf('text', 'html') > qualityOf('application', 'json')
}

const QUALITY = /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

/** A media range and its quality; one that is no number says nothing for the range. */
function readRange(text: string): readonly [range: string, quality: number] {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))
  if (quality === undefined) return [range, 1]
  return [range, QUALITY.test(quality) ? Number(quality.slice('q='.length)) : 0]
}
