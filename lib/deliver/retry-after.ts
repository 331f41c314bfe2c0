/** RFC 9110, section 5.6.7: the format in which dates must be sent. */
const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * How long to wait, in milliseconds (RFC 9110, section 10.2.3: seconds or a date); undefined for anything else, and for a
 * date that has passed.
 */
export function readRetryAfter(text: string | undefined, now: Date): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const wait = DATE.test(text) ? Date.parse(text) - now.getTime() : Number.NaN
  return wait >= 0 ? wait : undefined
}
