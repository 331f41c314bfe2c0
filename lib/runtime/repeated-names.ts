/** A string with what follows it, or a bracket. A string without an end is one as well, or each quote in it would be tried. */
const PART = /"(?:[^"\\]|\\[\s\S]?)*(?:"\s*:?|$)|[{}[\]]/g

/**
 * The names that a JSON object, given as a text that a parser took, has more than once at its top. The parser kept the
 * last of them, while others on the way may have seen the first (RFC 8259 section 4).
 */
export function repeatedNames(text: string): ReadonlySet<string> {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  let depth = 0
  for (const [part] of text.matchAll(PART)) {
    if (part === '{' || part === '[') depth++
    else if (part === '}' || part === ']') depth--
    else if (depth === 1 && part.endsWith(':')) note(JSON.parse(part.slice(0, -1)))
  }
  return repeated

  function note(name: string): void {
    if (seen.has(name)) repeated.add(name)
    seen.add(name)
  }
}
