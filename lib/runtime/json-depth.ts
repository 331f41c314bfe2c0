/**
 * How deep the objects and lists of a JSON text are nested. Counted over the text, because a parser with a reviver
 * recurses and would exhaust the stack first; of a text that is no JSON it says something, but nothing of use.
 */
export function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? ''
    if (character === '"') index = endOfString(text, index)
    depth += STEPS[character] ?? 0
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

const STEPS: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 }

function endOfString(text: string, start: number): number {
  let index = start + 1
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1
  return index
}
