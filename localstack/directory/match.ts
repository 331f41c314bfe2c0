import { Buffer } from 'node:buffer'
import { dnKey, valueKey } from '../../lib/adapters/ldap/dn.ts'
import { ENTRY_UUID } from './entry-id.ts'
import type { Entry } from './ldif.ts'

/** The part of ldapjs's filters that identifies them. */
export interface LdapFilter {
  readonly type: string
  readonly attribute: string
  readonly value?: string
  readonly subInitial?: string
  readonly subAny?: readonly string[]
  readonly subFinal?: string
  readonly clauses: readonly LdapFilter[]
}

/** Attributes whose values are names of entries. */
const NAMES = ['member', 'uniquemember']

/** Never returned and never compared. */
const SECRET = 'userpassword'

const OPERATIONAL = ENTRY_UUID.toLowerCase()

const MATCHES: Readonly<Record<string, (filter: LdapFilter, entry: Entry) => boolean>> = {
  AndFilter: ({ clauses }, entry) => clauses.every((clause) => matches(clause, entry)),
  OrFilter: ({ clauses }, entry) => clauses.some((clause) => matches(clause, entry)),
  NotFilter: ({ clauses }, entry) => !clauses.some((clause) => matches(clause, entry)),
  PresenceFilter: ({ attribute }, entry) => valuesOf(entry, attribute).length > 0,
  EqualityFilter: equal,
  ApproximateFilter: equal,
  SubstringFilter: ({ attribute, subInitial = '', subAny = [], subFinal = '' }, entry) => {
    const parts = [subInitial, ...subAny, subFinal].map((part) => RegExp.escape(valueKey(unescaped(part))))
    const form = new RegExp(`^${parts.join('.*')}$`, 's')
    return valuesOf(entry, attribute).some((value) => form.test(valueKey(value)))
  },
}

/**
 * Whether an entry matches a search. ldapjs's own matching supports neither escapes nor the matching rules of
 * directories. Filters that are not needed here match nothing.
 */
export function matches(filter: LdapFilter, entry: Entry): boolean {
  return MATCHES[filter.type]?.(filter, entry) ?? false
}

/** The attributes that a search requests; if it names none, all but the operational one. */
export function selectionOf({ attributes }: Entry, wanted: readonly string[]): Record<string, string[]> {
  const names = wanted.map((name) => name.toLowerCase())
  const isWanted = (name: string) => names.length === 0 || names.includes('*') || names.includes(name)
  const told = Object.entries(attributes).filter(([name]) => {
    const key = name.toLowerCase()
    return key !== SECRET && (key === OPERATIONAL ? names.includes(key) : isWanted(key))
  })
  return Object.fromEntries(told.map(([name, values]) => [name, [...values]]))
}

export function storedPasswords({ attributes }: Entry): readonly string[] {
  return Object.entries(attributes).flatMap(([name, values]) => (name.toLowerCase() === SECRET ? values : []))
}

function equal({ attribute, value = '' }: LdapFilter, entry: Entry): boolean {
  const key = NAMES.includes(attribute.toLowerCase()) ? dnKey : valueKey
  const wanted = [key(value), key(unescaped(value))]
  return valuesOf(entry, attribute).some((candidate) => wanted.includes(key(candidate)))
}

function valuesOf({ attributes }: Entry, attribute: string): readonly string[] {
  const wanted = attribute.toLowerCase()
  if (wanted === SECRET) return []
  return Object.entries(attributes).flatMap(([name, values]) => (name.toLowerCase() === wanted ? values : []))
}

/**
 * Decodes the escapes of RFC 4515, a byte as a backslash and two hexadecimal digits. ldapjs passes values in these
 * escapes but leaves a backslash as it is, so a text that looks escaped may be literal.
 */
function unescaped(value: string): string {
  const parts = value.matchAll(/\\([0-9a-f]{2})|(.)/gisu)
  const bytes = [...parts].map(([, hex, character = '']) => (hex ? Buffer.from(hex, 'hex') : Buffer.from(character)))
  return Buffer.concat(bytes).toString()
}
