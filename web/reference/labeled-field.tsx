import type { ComponentChild } from 'preact'

interface FieldProps {
  /** Of all fields of one form. */
  readonly scope: string
  readonly name: string
  readonly label: string
  /** The control, which takes the id. */
  readonly children: (id: string) => ComponentChild
}

/** A labeled control; a page may have the same form several times. */
export function LabeledField({ scope, name, label, children }: FieldProps) {
  const id = `${scope}-${name}`
  return (
    <>
      <label for={id}>{label}</label>
      <div class="field">{children(id)}</div>
    </>
  )
}
