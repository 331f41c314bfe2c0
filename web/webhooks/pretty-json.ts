/** A string, a bracket, a separator, or a number or word. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g

/**
 * JSON on several lines, each number and string in its original spelling; undefined for a text that is not JSON.
 * Parsing and printing would round numbers.
 */
export function prettyJson(text: string): string | undefined {
  if (!isJson(text)) return undefined
  let depth = 0
  let before = ''
  let lines = ''
  for (const token of text.match(TOKENS) ?? []) {
    if (isClosing(token)) depth--
    lines += gap(before, token, depth) + token
    if (isOpening(token)) depth++
    before = token
  }
  return lines
}

function gap(before: string, token: string, depth: number): string {
  if (before === ':') return ' '
  if (isOpening(before) && isClosing(token)) return ''
  return isOpening(before) || before === ',' || isClosing(token) ? `\n${'  '.repeat(depth)}` : ''
}

function isOpening(token: string): boolean {
  return token === '{' || token === '['
}

function isClosing(token: string): boolean {
  return token === '}' || token === ']'
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
