/**
 * How deep the objects and lists of a JSON text are nested, and how many members its objects have. Counted over the
 * text, because a parser with a reviver recurses and would exhaust the stack first, and takes long for many names; of a
 * text that is no JSON it says something, but nothing of use.
 */
export function shapeOf(text: string): { readonly depth: number; readonly members: number } {
  let depth = 0
  let deepest = 0
  let members = 0
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? ''
    if (character === '"') index = endOfString(text, index)
    if (character === ':') members++
    depth += STEPS[character] ?? 0
    deepest = Math.max(deepest, depth)
  }
  return { depth: deepest, members }
}

const STEPS: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 }

function endOfString(text: string, start: number): number {
  let index = start + 1
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1
  return index
}
