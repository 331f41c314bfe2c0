import { type ComponentChildren, Fragment } from 'preact'

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
