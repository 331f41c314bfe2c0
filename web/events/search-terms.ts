import { EVERYTHING, type Filter, type Name } from './place.ts'
import { FAILED, RETRYING, type Standing } from './record.ts'

/** A value of a filter as one types it: `source:stripe`. */
export interface Term {
  readonly name: Name
  readonly value: string
}

/** The values that are known, by name. */
export type KnownValues = Readonly<Record<Name, readonly string[]>>

/** What the words for statuses mean. Those that demand something of `dead` stand alone. */
const STANDINGS: Readonly<Record<string, Standing>> = {
  received: { status: ['RECEIVED'], dead: '' },
  processing: { status: ['PROCESSING'], dead: '' },
  processed: { status: ['PROCESSED'], dead: '' },
  retrying: RETRYING,
  failed: FAILED,
}

export const STATUS_TERMS = Object.keys(STANDINGS)

/** The one word for the statuses of a filter, if there is one. */
function standingOf(filter: Pick<Filter, 'status' | 'dead'>): string | undefined {
  return STATUS_TERMS.find((word) => isStanding(filter, STANDINGS[word]))
}

/** Whether a filter demands just this. */
export function isStanding({ status, dead }: Pick<Filter, 'status' | 'dead'>, standing: Standing | undefined): boolean {
  return dead === standing?.dead && String(status) === String(standing.status)
}

const MOST_SUGGESTIONS = 8

export function termText({ name, value }: Term): string {
  return `${name}:${value}`
}

/** What is typed, apart: the text to search for, and at its end a term that is not complete. */
export function typed(text: string): { readonly q: string; readonly term: Term | undefined } {
  const [, rest = '', name, value = ''] = /^(|.*\s)(source|type|status):(\S*)$/is.exec(text) ?? []
  if (name === undefined) return { q: text.trim(), term: undefined }
  return { q: rest.trim(), term: { name: name.toLowerCase() as Name, value } }
}

/** Terms that what is typed may become, those that begin like it first. */
export function suggestionsFor(text: string, known: KnownValues): readonly Term[] {
  const { term } = typed(text)
  if (term) return matching(term.name, term.value, known[term.name])
  const word = text.split(/\s/).at(-1) ?? ''
  if (word.length < 2) return []
  const all = (Object.keys(known) as Name[]).flatMap((name) => matching(name, word, known[name], isStart))
  return all.slice(0, MOST_SUGGESTIONS)
}

type Test = (value: string, part: string) => boolean
const isStart: Test = (value, part) => value.startsWith(part)
const isPart: Test = (value, part) => value.includes(part)

function matching(name: Name, part: string, values: readonly string[], test = isPart): readonly Term[] {
  const sought = part.toLowerCase()
  const found = values.filter((value) => test(value.toLowerCase(), sought))
  const [first, later] = [true, false].map((at) => found.filter((value) => isStart(value.toLowerCase(), sought) === at))
  return [...(first ?? []), ...(later ?? [])].slice(0, MOST_SUGGESTIONS).map((value) => ({ name, value }))
}

/** The term as the filter can have it: a known value in any case; a type also if it is not known. */
export function completed({ name, value }: Term, known: KnownValues): Term | undefined {
  const match = known[name].find((each) => each.toLowerCase() === value.toLowerCase())
  if (match !== undefined) return { name, value: match }
  return name !== 'status' && value !== '' ? { name, value } : undefined
}

/** The terms of a filter. */
export function termsOf(filter: Filter): readonly Term[] {
  return [
    ...filter.source.map((value): Term => ({ name: 'source', value })),
    ...filter.type.map((value): Term => ({ name: 'type', value })),
    ...statusWords(filter).map((value): Term => ({ name: 'status', value })),
  ]
}

export function withTerm(filter: Filter, { name, value }: Term): Partial<Filter> {
  if (name !== 'status') return { [name]: [...new Set([...filter[name], value])] }
  const { status, dead } = STANDINGS[value] ?? EVERYTHING
  const known = dead === '' && filter.dead === '' ? filter.status : []
  return { status: [...new Set([...known, ...status])], dead }
}

export function withoutTerm(filter: Filter, { name, value }: Term): Partial<Filter> {
  if (name !== 'status') return { [name]: filter[name].filter((each) => each !== value) }
  if (standingOf(filter) === value) return { status: [], dead: '' }
  return { status: filter.status.filter((status) => status.toLowerCase() !== value) }
}

function statusWords(filter: Filter): readonly string[] {
  const word = standingOf(filter)
  return word === undefined ? filter.status.map((status) => status.toLowerCase()) : [word]
}
