/**
 * Characters of foreign texts that are invisible or turn others around (Unicode UTS 55): controls, formats, surrogates, line
 * ends, and whatever is not drawn. Not U+FE0F, which only chooses the look of an emoji.
 */
export const UNSEEN = /(?!\u{fe0f})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** As `U+202E`. */
export function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
