import { computed, signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { sourceList } from '../../lib/contract/answers/operation.ts'
import { ask, type Response } from '../ask.ts'
import { CallRefused } from '../problem.ts'
import { Button } from '../ui/button.tsx'
import { Chip } from '../ui/filters.tsx'
import { Icon } from '../ui/icon.tsx'
import { ForeignText } from '../ui/text.tsx'
import { narrow, place, search } from './navigation.tsx'
import { type Filter, isNarrow } from './place.ts'
import { counts, list } from './reading.ts'
import {
  completed,
  type KnownValues,
  STATUS_TERMS,
  suggestionsFor,
  type Term,
  termsOf,
  termText,
  typed,
  withoutTerm,
  withTerm,
} from './search-terms.ts'

/** The field that the key `/` focuses. */
export const SEARCH_ID = 'search'

/** Searches as one types, and turns terms such as `source:stripe` into chips. */
export function EventSearch() {
  const { filter } = place.value
  const text = useSignal(filter.q)
  const isActive = useSignal(false)
  /** The suggestion that Enter takes; none until it is chosen, unless a term is typed. */
  const chosen = useSignal<number | undefined>(undefined)
  const offered = isActive.value ? suggestionsFor(text.value, knownValues.value) : []
  const { term } = typed(text.value)
  const first = term && offered.length > 0 ? 0 : undefined
  const at = chosen.value ?? first

  useEffect(() => {
    // Another state of the history, or a filter that was cleared; typing may be ahead of what is drawn.
    const { q } = place.peek().filter
    if (typed(text.peek()).q !== q) text.value = q
  }, [filter.q])

  function type(value: string): void {
    isActive.value = true
    text.value = value
    chosen.value = undefined
    search(typed(value).q)
  }

  function add(added: Term): boolean {
    const entered = text.peek()
    const q = term ? typed(entered).q : entered.slice(0, entered.lastIndexOf(' ') + 1).trim()
    text.value = q
    chosen.value = undefined
    narrow({ ...withTerm(place.peek().filter, added), q })
    return true
  }

  function take(): boolean {
    const picked = at === undefined ? term && completed(term, knownValues.peek()) : offered[at]
    return picked !== undefined && add(picked)
  }

  function move(step: number): boolean {
    if (offered.length === 0) return false
    const start = step > 0 ? -1 : offered.length
    chosen.value = ((at ?? start) + step + offered.length) % offered.length
    return true
  }

  /** A complete value needs no more than a space. */
  function takeExact(): boolean {
    const exact = term && term.value !== '' ? completed(term, knownValues.peek()) : undefined
    return exact !== undefined && add(exact)
  }

  function removeLast(): boolean {
    const last = termsOf(place.peek().filter).at(-1)
    if (text.peek() !== '' || last === undefined) return false
    narrow(withoutTerm(place.peek().filter, last))
    return true
  }

  function leave(): boolean {
    if (offered.length === 0) return false
    isActive.value = false
    return true
  }

  const keys: Readonly<Record<string, () => boolean>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: take,
    Tab: () => term !== undefined && term.value !== '' && take(),
    ' ': takeExact,
    Backspace: removeLast,
    Escape: leave,
  }

  return (
    <search class="field grow finder">
      <Icon name="search" />
      <SearchChips filter={filter} />
      <input
        id={SEARCH_ID}
        type="search"
        // biome-ignore lint/a11y/noRedundantRoles: a field is no combobox by itself unless it has a datalist
        role="combobox"
        aria-label="Search events"
        aria-autocomplete="list"
        aria-expanded={offered.length > 0}
        aria-controls={OPTIONS_ID}
        aria-activedescendant={at === undefined ? undefined : `${OPTIONS_ID}-${at}`}
        list={undefined}
        autocomplete="off"
        spellcheck={false}
        maxLength={256}
        placeholder={isNarrow(filter) ? 'Add a filter' : 'Search id, type or error; try source:stripe'}
        value={text}
        onInput={({ currentTarget: { value } }) => type(value)}
        onFocus={() => {
          isActive.value = true
          void findSources()
        }}
        onBlur={() => (isActive.value = false)}
        onKeyDown={(event) => {
          if (!keys[event.key]?.()) return
          event.preventDefault()
          event.stopPropagation()
        }}
      />
      {isNarrow(filter) ? <ClearButton /> : <kbd class="c2">/</kbd>}
      <SearchOptions offered={offered} at={at} take={add} />
    </search>
  )
}

const OPTIONS_ID = 'search-options'

interface SearchOptionsProps {
  readonly offered: readonly Term[]
  readonly at: number | undefined
  readonly take: (term: Term) => void
}

/** The suggestions below the search; the field keeps the focus, and handles the keys. */
function SearchOptions({ offered, at, take }: SearchOptionsProps) {
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

const named = signal<readonly string[]>([])

/** What the search completes: all sources that the service knows, and the types of the events that are shown. */
const knownValues = computed<KnownValues>(() => {
  const { source, type } = place.value.filter
  const seen = Object.keys(counts.value?.totals.source ?? {})
  const types = list.value?.events.map(({ eventType }) => eventType) ?? []
  return {
    source: sorted([...named.value, ...seen, ...source]),
    type: sorted([...types, ...type]),
    status: STATUS_TERMS,
  }
})

function sorted(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort()
}

/** Asks for the names of all sources; without an answer those that were seen are known. */
async function findSources(): Promise<void> {
  try {
    const { sources } = await ask<Response<typeof sourceList>>('/api/webhooks/sources')
    named.value = sources.map(({ source }) => source)
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error
  }
}

/** Each value of the filter, to be removed. */
function SearchChips({ filter }: { readonly filter: Filter }) {
  return (
    <>
      {termsOf(filter).map((term) => (
        <Chip key={termText(term)} {...term} remove={() => narrow(withoutTerm(place.peek().filter, term))} />
      ))}
      {filter.attention !== '' && <Chip name="needs" value="attention" remove={() => narrow({ attention: '' })} />}
    </>
  )
}

function ClearButton() {
  return (
    <Button class="bare" onClick={clearFilter}>
      Clear
    </Button>
  )
}

/** Demands nothing any more but the range of time. */
export function clearFilter(): void {
  narrow({ q: '', status: [], source: [], type: [], dead: '', attention: '' })
}
