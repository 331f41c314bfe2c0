import type { ComponentChildren } from 'preact'

/** Two lines of one cell. */
export function Tall({ first, second }: { readonly first: ComponentChildren; readonly second: ComponentChildren }) {
  return (
    <>
      {first}
      <span class="small muted">{second}</span>
    </>
  )
}
