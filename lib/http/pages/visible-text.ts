import { codePoint, UNSEEN } from '../../contract/unseen.ts'

/** Foreign text for one line: what would not be seen is its code point, as `[U+202E]`. */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, (character) => `[${codePoint(character)}]`)
}
