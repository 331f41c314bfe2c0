/** Characters that are invisible or turn the direction of a text around (Unicode UTS 55). */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Foreign text for one line: what would not be seen is its code point, as `[U+202E]`. */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, (character) => `[U+${codePointOf(character)}]`)
}

function codePointOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
}
