import { type ComponentChildren, cloneElement, Fragment, isValidElement } from 'preact'
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

/** What is visible and runs to the right. */
const PLAIN = /^[ -~]*$/

/** Content whose texts may be foreign; components see to their own. */
export function asForeign(content: ComponentChildren): ComponentChildren {
  if (typeof content === 'string') return PLAIN.test(content) ? content : <ForeignText text={content} />
  if (Array.isArray(content)) return content.map(asForeign)
  const isMarkup = isValidElement(content) && (typeof content.type === 'string' || content.type === Fragment)
  return isMarkup ? cloneElement(content, {}, asForeign(content.props.children)) : content
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
              <dd class="wrap">{asForeign(value)}</dd>
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
      {asForeign(first)}
      <span class="small muted">{asForeign(second)}</span>
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
