import type { TargetedEvent } from 'preact'
import { narrow, place } from './feed.ts'
import { EVERYTHING, type Filter, isEverything } from './place.ts'

/** The field that the key `/` focuses. */
export const SEARCH_ID = 'search'

interface Field {
  readonly name: keyof Filter
  readonly label: string
}

const TEXTS: readonly Field[] = [
  { name: 'source', label: 'Source' },
  { name: 'type', label: 'Type' },
]

const TIMES: readonly Field[] = [
  { name: 'from', label: 'From (UTC)' },
  { name: 'to', label: 'To (UTC)' },
]

interface Choice extends Field {
  /** The label of each value. */
  readonly values: Readonly<Record<string, string>>
}

const CHOICES: readonly Choice[] = [
  {
    name: 'status',
    label: 'Status',
    values: {
      '': 'Any',
      RECEIVED: 'Received',
      PROCESSING: 'Processing',
      PROCESSED: 'Processed',
      FAILED: 'Failed',
      RETRY: 'Retrying',
    },
  },
  { name: 'dead', label: 'Dead', values: { '': 'Either', true: 'Dead only', false: 'Not dead' } },
]

type Change = TargetedEvent<HTMLInputElement | HTMLSelectElement>

/** The filter of the list; the address holds it. */
export function FilterForm() {
  const { filter } = place.value
  const set = ({ currentTarget: { name, value } }: Change) => narrow({ ...place.peek().filter, [name]: value })
  return (
    <form class="card filter" onSubmit={(event) => event.preventDefault()}>
      <div class="field wide">
        <label for={SEARCH_ID}>Search</label>
        <input
          id={SEARCH_ID}
          type="search"
          name="q"
          maxLength={256}
          placeholder="Part of an event id, type, source or error"
          value={filter.q}
          onInput={set}
        />
        <button type="button" class="quiet" disabled={isEverything(filter)} onClick={() => narrow(EVERYTHING)}>
          Clear
        </button>
      </div>
      {CHOICES.map(({ name, label, values }) => (
        <div class="field" key={name}>
          <label for={`by-${name}`}>{label}</label>
          <select id={`by-${name}`} name={name} value={filter[name]} onChange={set}>
            {Object.entries(values).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </div>
      ))}
      {TEXTS.map(({ name, label }) => (
        <div class="field" key={name}>
          <label for={`by-${name}`}>{label}</label>
          <input id={`by-${name}`} name={name} maxLength={256} value={filter[name]} onChange={set} />
        </div>
      ))}
      {TIMES.map(({ name, label }) => (
        <div class="field time" key={name}>
          <label for={`by-${name}`}>{label}</label>
          <input id={`by-${name}`} type="datetime-local" name={name} value={filter[name]} onChange={set} />
        </div>
      ))}
    </form>
  )
}
