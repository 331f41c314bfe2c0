import { Icon } from './icon.tsx'
import { fromLocalInput, parseTime, toLocalInput } from './times.tsx'

/** A filter of a list: a text, one of known values, a mark, or when the list begins. */
export interface Filter {
  /** In the address, and in the query of the API. */
  readonly name: string
  readonly label: string
  readonly kind?: 'search' | 'mark' | 'since'
  /** The known values, each with its label. */
  readonly options?: Readonly<Record<string, string | { readonly label: string }>>
}

interface FilterFieldProps {
  readonly filter: Filter
  /** Empty for none. */
  readonly value: string
  readonly change: (value: string) => void
}

export function FilterField({ filter: { label, kind = 'search', options }, value, change }: FilterFieldProps) {
  if (options !== undefined) return <Choice label={label} value={value} options={options} change={change} />
  if (kind === 'since') return <Since label={label} value={value} change={change} />
  if (kind === 'search') return <Search label={label} value={value} change={change} />
  return (
    <label class="small">
      <input type="checkbox" checked={value === 'true'} onChange={() => change(value === 'true' ? '' : 'true')} />{' '}
      {label}
    </label>
  )
}

interface FieldProps extends Omit<FilterFieldProps, 'filter'>, Pick<Filter, 'label'> {}

/** Searches on Enter. */
function Search({ label, value, change }: FieldProps) {
  return (
    <search class="field grow" aria-label={label}>
      <Icon name="search" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={({ currentTarget }) => change(currentTarget.value.trim())}
      />
    </search>
  )
}

function Choice({ label, value, options, change }: FieldProps & Required<Pick<Filter, 'options'>>) {
  return (
    <div class="field">
      <select aria-label={label} value={value} onChange={({ currentTarget }) => change(currentTarget.value)}>
        <option value="">{label}: any</option>
        {Object.entries(options).map(([each, text]) => (
          <option key={each} value={each}>
            {typeof text === 'string' ? text : text.label}
          </option>
        ))}
      </select>
    </div>
  )
}

/** In the viewer's zone; the value is in UTC without its zone, as the API takes it. */
function Since({ label, value, change }: FieldProps) {
  return (
    <div class="field">
      <label for="since" class="small muted">
        {label}
      </label>
      <input
        id="since"
        type="datetime-local"
        value={value === '' ? '' : toLocalInput(parseTime(value), 'minutes')}
        onChange={({ currentTarget }) => change(fromLocalInput(currentTarget.value).slice(0, 19))}
      />
    </div>
  )
}
