import { facts } from '../facts.ts'

interface IconProps {
  /** Of a symbol in `web/icons.svg`. */
  readonly name: string
  /** What it says to those who do not see it; without one it is decoration. */
  readonly label?: string
}

export function Icon({ name, label }: IconProps) {
  const symbol = <use href={`${facts.icons}#${name}`} />
  if (label === undefined)
    return (
      <svg class="i" aria-hidden="true">
        {symbol}
      </svg>
    )
  return (
    <svg class="i" role="img" aria-label={label}>
      {symbol}
    </svg>
  )
}
