import { type ComponentChildren, Fragment } from 'preact'

/** Terms with their values; a row without a value is left out. */
export function Facts({ rows }: { readonly rows: readonly (readonly [term: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {rows.map(
        ([term, value]) =>
          value !== undefined &&
          value !== null && (
            <Fragment key={term}>
              <dt>{term}</dt>
              <dd class="wrap">{value}</dd>
            </Fragment>
          ),
      )}
    </dl>
  )
}
