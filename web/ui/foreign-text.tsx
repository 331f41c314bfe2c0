import { codePoint, UNSEEN } from '../../lib/contract/unseen.ts'

/** A text of somebody else: characters that are invisible or reorder others are shown as their code. */
export function ForeignText({ text }: { readonly text: string }) {
  const unseen = text.match(UNSEEN)
  if (!unseen) return <bdi>{text}</bdi>
  return (
    <bdi>
      {text.split(UNSEEN).flatMap((piece, index) => {
        const character = unseen[index]
        if (character === undefined || isSpace(character)) return [piece, character]
        return [
          piece,
          <span class="chip code-point" key={index}>
            {codePoint(character)}
          </span>,
        ]
      })}
    </bdi>
  )
}

/** These take their place, so that one sees that they are there. */
function isSpace(character: string): boolean {
  return character === '\n' || character === '\t'
}
