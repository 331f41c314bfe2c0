import { Icon } from '../ui/icon.tsx'
import { ForeignText } from '../ui/text.tsx'
import { narrow, place } from './navigation.ts'
import type { Filter } from './place.ts'
import { type Term, termsOf, termText, withoutTerm } from './search-terms.ts'

/** Each value of the filter, to be removed. */
export function SearchChips({ filter }: { readonly filter: Filter }) {
  return (
    <>
      {termsOf(filter).map((term) => (
        <Chip key={termText(term)} {...term} remove={() => narrow(withoutTerm(place.peek().filter, term))} />
      ))}
      {filter.dead !== '' && <Chip name="dead" value={filter.dead} remove={() => narrow({ dead: '' })} />}
    </>
  )
}

interface ChipProps {
  readonly name: Term['name'] | 'dead'
  readonly value: string
  readonly remove: () => void
}

function Chip({ name, value, remove }: ChipProps) {
  return (
    <span class="chip">
      <span class="muted">{name}</span> <ForeignText text={value} />
      <button type="button" class="chip-x" aria-label={`Remove ${name} ${value}`} onClick={remove}>
        <Icon name="x" />
      </button>
    </span>
  )
}

export function ClearButton() {
  return (
    <button type="button" class="btn bare" onClick={clearFilter}>
      Clear
    </button>
  )
}

/** Demands nothing any more but the range of time. */
export function clearFilter(): void {
  narrow({ q: '', status: [], source: [], type: [], dead: '' })
}
