import type { HttpEvent } from './message.ts'

/** RFC 9110 section 12.5.3: whether the caller names a coding, and with a weight that is not zero. */
export function takesCoding({ headers }: HttpEvent, coding: string): boolean {
  const accepted = (headers['accept-encoding'] ?? '').split(',').map((one) => one.replaceAll(/\s/g, '').toLowerCase())
  const weighted = `${coding};q=`
  return accepted.some((one) => one === coding || (one.startsWith(weighted) && Number(one.slice(weighted.length)) > 0))
}
