/** Controls, formats (bidirectional ones among them), surrogates, line ends, and whatever is not drawn at all. */
const UNSEEN = /(?!\n|\t|\u{fe0f})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** A text of somebody else: characters that are invisible or reorder others are shown as their code. */
export function ForeignText({ text }: { readonly text: string }) {
  const codes = text.match(UNSEEN)
  if (!codes) return <bdi>{text}</bdi>
  return (
    <bdi>
      {text.split(UNSEEN).flatMap((piece, index) => {
        const code = codes[index]
        if (code === undefined) return [piece]
        return [
          piece,
          <span class="chip code-point" key={index}>
            {codePoint(code)}
          </span>,
        ]
      })}
    </bdi>
  )
}

function codePoint(character: string): string {
  return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`
}
