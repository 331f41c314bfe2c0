import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'
import { ForeignText } from './text.tsx'
import { fromLocalInput, parseTime, toLocalInput } from './times.tsx'

/** A filter of a list: a text, one of known values, a mark, or when the list begins. */
export interface Filter {
  /** In the address, and in the query of the API. */
  readonly name: string
  readonly label: string
  /** Links alone set a `name`: it is shown to be removed. */
  readonly kind?: 'search' | 'name' | 'mark' | 'since'
  /** The known values, each with its label. */
  readonly options?: Readonly<Record<string, string | { readonly label: string }>>
}

interface FilterFieldProps {
  readonly filter: Filter
  /** Empty for none. */
  readonly value: string
  readonly change: (value: string, isTyped?: boolean) => void
}

export function FilterField({ filter: { label, kind = 'search', options }, value, change }: FilterFieldProps) {
  if (options !== undefined) return <Choice label={label} value={value} options={options} change={change} />
  if (kind === 'since') return <Since label={label} value={value} change={change} />
  if (kind === 'search') return <Search label={label} value={value} change={change} />
  if (kind === 'name') return value === '' ? null : <Chip name={label} value={value} remove={() => change('')} />
  return (
    <label class="small">
      <input type="checkbox" checked={value === 'true'} onChange={() => change(value === 'true' ? '' : 'true')} />{' '}
      {label}
    </label>
  )
}

interface FieldProps extends Omit<FilterFieldProps, 'filter'>, Pick<Filter, 'label'> {}

/** How long a text has to stay unchanged before the list is read, in milliseconds. */
const TYPING_MS = 200

/** Searches as one types. */
function Search({ label, value, change }: FieldProps) {
  const text = useSignal(value)
  const timer = useRef(0)
  const sent = useRef(value)
  useEffect(() => {
    if (value === sent.current) return
    clearTimeout(timer.current)
    sent.current = value
    text.value = value
  }, [value])

  function type(typed: string): void {
    text.value = typed
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      sent.current = typed.trim()
      change(sent.current, true)
    }, TYPING_MS)
  }

  return (
    <search class="field grow" aria-label={label}>
      <Icon name="search" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={256}
        value={text}
        onInput={({ currentTarget }) => type(currentTarget.value)}
      />
    </search>
  )
}

interface ChipProps {
  readonly name: string
  readonly value: string
  readonly remove: () => void
}

/** A part of a filter, to be removed. */
export function Chip({ name, value, remove }: ChipProps) {
  return (
    <span class="chip">
      <span class="muted">{name}</span>{' '}
      <span class="clip">
        <ForeignText text={value} />
      </span>
      <button type="button" class="chip-x" aria-label={`Remove ${name} ${value}`} onClick={remove}>
        <Icon name="x" />
      </button>
    </span>
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
