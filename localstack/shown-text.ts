/** A text of a stranger on one line of a terminal, which would obey control characters. */
export function shownText(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd')
}
