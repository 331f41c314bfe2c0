import { type ComponentChildren, Fragment } from 'preact'
import { codePoint, UNSEEN } from '../../lib/contract/console.ts'

/** A text of a stranger: characters that are invisible or reorder others are shown as their code. */
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

export function ForeignCode({ text }: { readonly text: string }) {
  return (
    <code>
      <ForeignText text={text} />
    </code>
  )
}

/** These take their place, so that one sees that they are there. */
function isSpace(character: string): boolean {
  return character === '\n' || character === '\t'
}

function isGiven(value: ComponentChildren): boolean {
  return value !== undefined && value !== null && value !== false && value !== ''
}

interface FactsProps {
  /** By their terms; as a list where two may have the same. */
  readonly rows: Readonly<Record<string, ComponentChildren>> | readonly (readonly ComponentChildren[])[]
}

/** Terms with their values; a row without a value is left out. */
export function Facts({ rows }: FactsProps) {
  const given: readonly (readonly ComponentChildren[])[] = Array.isArray(rows) ? rows : Object.entries(rows)
  return (
    <dl class="facts">
      {given.map(
        ([term, value]) =>
          isGiven(value) && (
            <Fragment key={String(term)}>
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

interface ProblemProps {
  readonly text: string | undefined
  /** Besides `note`. */
  readonly class?: string
}

/** Says what is wrong, also to those who do not see it appear. */
export function Problem({ text, class: name }: ProblemProps) {
  if (text === undefined) return null
  return (
    <p class={name === undefined ? 'note' : `note ${name}`} data-tone="bad" role="alert">
      {text}
    </p>
  )
}
