/**
 * No coding: `identity` is none (RFC 9110, section 8.4), and many senders write a charset in its place
 * (expressjs/body-parser#100).
 */
const NONE = new Set(['', 'identity', 'utf-8', 'utf8'])

/** More than any list of codings that is meant. */
const MAXIMUM_LENGTH = 64

/** The codings under which a body came, in lower case; undefined if there are none. */
export function codingOf(headers: Readonly<Record<string, string | undefined>>): string | undefined {
  const given = headers['content-encoding']?.toLowerCase().split(',') ?? []
  const codings = given.map((coding) => coding.trim()).filter((coding) => !NONE.has(coding))
  return codings.length === 0 ? undefined : codings.join(', ').slice(0, MAXIMUM_LENGTH)
}
