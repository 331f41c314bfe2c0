/** A token from a text that was copied with what stood around it, and what was left out of that. */
export interface Pasted {
  readonly token: string
  readonly removed: readonly string[]
}

/** Quotes of programs and of word processors. */
const QUOTES = /["'`\u2018\u2019\u201c\u201d]/g

/** Line breaks and blanks, also those that are not drawn. */
const BLANKS = /[\s\u200b-\u200d\u2060]+/g

/** Takes out a header's name, the scheme `Bearer`, quotes, line breaks and blanks. */
export function readPasted(text: string): Pasted {
  const removed: string[] = []
  const without = (from: string, what: string, pattern: RegExp) => {
    const rest = from.replace(pattern, '')
    if (rest !== from) removed.push(what)
    return rest
  }
  const plain = without(text, 'quotes', QUOTES).trim()
  const value = without(plain, 'Authorization', /^authorization:/i).trim()
  const bare = without(value, 'Bearer', /^bearer(?=\s|$)/i).trim()
  return { token: without(bare, 'line breaks and blanks', BLANKS), removed }
}
