import { type ComponentChildren, Fragment } from 'preact'
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

function isGiven(value: ComponentChildren): boolean {
  return value !== undefined && value !== null && value !== false && value !== ''
}

/** Terms with their values; a row without a value is left out. */
export function Facts({ rows }: { readonly rows: readonly (readonly [term: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {rows.map(
        ([term, value]) =>
          isGiven(value) && (
            <Fragment key={term}>
              <dt>{term}</dt>
              <dd class="wrap">{value}</dd>
            </Fragment>
          ),
      )}
    </dl>
  )
}

/** Two lines of one cell. */
export function Tall({ first, second }: { readonly first: ComponentChildren; readonly second: ComponentChildren }) {
  return (
    <>
      {first}
      <span class="small muted">{second}</span>
    </>
  )
}
