import { ForeignText } from '../ui/foreign-text.tsx'
import { type Term, termText } from './search-terms.ts'

export const OPTIONS_ID = 'search-options'

interface SearchOptionsProps {
  readonly offered: readonly Term[]
  readonly at: number | undefined
  readonly take: (term: Term) => void
}

/** The suggestions below the search; the field keeps the focus, and handles the keys. */
export function SearchOptions({ offered, at, take }: SearchOptionsProps) {
  return (
    <div id={OPTIONS_ID} class="drop options" role="listbox" aria-label="Filters" hidden={offered.length === 0}>
      {offered.map((term, index) => (
        <div
          key={termText(term)}
          id={`${OPTIONS_ID}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          onPointerDown={(event) => {
            event.preventDefault()
            take(term)
          }}
        >
          <span class="muted">{term.name}:</span>
          <ForeignText text={term.value} />
        </div>
      ))}
    </div>
  )
}
