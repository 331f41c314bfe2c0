import type { ComponentChildren, TargetedMouseEvent } from 'preact'
import { Icon } from './icon.tsx'

export interface ButtonProps {
  readonly icon?: string | undefined
  /** Besides `btn`: `main-btn`, `bad-btn`, `bare`. */
  readonly class?: string
  /** Its name, where it shows none. */
  readonly label?: string
  readonly title?: string | undefined
  readonly pressed?: boolean
  readonly disabled?: boolean
  readonly onClick: ((click: TargetedMouseEvent<HTMLButtonElement>) => unknown) | undefined
  readonly children?: ComponentChildren
}

export function Button({ icon, class: name, label, pressed, children, ...rest }: ButtonProps) {
  return (
    <button type="button" class={name ? `btn ${name}` : 'btn'} aria-label={label} aria-pressed={pressed} {...rest}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  )
}

export interface Choice {
  readonly label: string
  readonly title?: string
  readonly isOn: boolean
  readonly isDisabled?: boolean
  readonly choose: () => unknown
}

interface ChoicesProps {
  readonly legend: string
  /** Besides those of a bar: `line` below it, or `foot` for the last one of a page. */
  readonly class?: string
  /** A symbol and a word before them. */
  readonly head?: readonly [icon: string, word: string]
  readonly choices: readonly Choice[]
  /** After them. */
  readonly children?: ComponentChildren
}

/** Choices side by side, each on or off. */
export function Choices({ legend, class: name = '', head, choices, children }: ChoicesProps) {
  return (
    <fieldset class={`bar ${name} chips plain`}>
      <legend class="hide">{legend}</legend>
      {head && (
        <span class="badge">
          <Icon name={head[0]} />
          {head[1]}
        </span>
      )}
      {choices.map(({ label, title, isOn, isDisabled = false, choose }) => (
        <button
          key={label}
          type="button"
          class="chip"
          aria-pressed={isOn}
          disabled={isDisabled}
          title={title}
          onClick={() => void choose()}
        >
          {label}
        </button>
      ))}
      {children}
    </fieldset>
  )
}
