import { Buffer } from 'node:buffer'
import type { Server } from 'node:net'
import { stderr } from 'node:process'
import ldapjs from 'ldapjs'
import { dnElements, dnKey, valueKey } from '../../../lib/adapters/ldap/dn.ts'
import { HOST } from '../ports.ts'
import { ENTRY_UUID, type Entry, withId } from './entries.ts'

interface Request {
  readonly dn: { toString(): string }
  readonly credentials: string
  readonly scope: 0 | 1 | 2
  readonly sizeLimit: number
  readonly attributes: readonly string[]
  readonly filter: LdapFilter
  readonly connection: { readonly ldap: { bindDN: { toString(): string } } }
}

interface Response {
  attributes: readonly string[]
  responseValue?: string
  send(entry: { readonly dn: string; readonly attributes: Record<string, string[]> }): void
  end(code?: number): void
}

type Next = () => void

/** RFC 4511 appendix A. */
const SIZE_LIMIT_EXCEEDED = 4
const NO_SUCH_OBJECT = 32
const INVALID_CREDENTIALS = 49
const INSUFFICIENT_ACCESS = 50
const UNWILLING = 53

/** The name that ldapjs gives to an unbound connection. */
const ANONYMOUS = 'cn=anonymous'

/** RFC 4532. */
const WHO_AM_I = '1.3.6.1.4.1.4203.1.11.3'

/** The entries that each scope of a search covers, by its number on the wire: the allowed depth below the base. */
const SCOPES = [
  { nearest: 0, farthest: 0 },
  { nearest: 1, farthest: 1 },
  { nearest: 0, farthest: Number.POSITIVE_INFINITY },
] as const

/** Serves these entries on the loopback address. */
export function serveDirectory(given: readonly Entry[], port: number, ready: () => void): ldapjs.Server {
  const server = createDirectory(given)
  server.listen(port, HOST, ready)
  return server
}

/** Answers simple binds and searches over these entries, read-only. */
export function createDirectory(given: readonly Entry[]): ldapjs.Server & { readonly server: Server } {
  const entries = given.map(withId)
  const byKey = new Map(entries.map((entry) => [dnKey(entry.dn), entry]))
  const server = ldapjs.createServer() as ldapjs.Server & { readonly server: Server }
  // ldapjs writes each entry by itself; Nagle's algorithm would delay them by 40 ms.
  server.server.on('connection', (socket) => socket.setNoDelay())
  // A client's error must not end the process, as it would without a listener.
  server.on('error', (error) => stderr.write(`directory: ${error.message}\n`))

  // ldapjs compares names letter by letter, so all requests go to the root and are compared here.
  server.bind('', ({ dn, credentials, connection }: Request, response: Response, next: Next) => {
    // A failed bind leaves the connection anonymous (RFC 4513 section 4).
    connection.ldap.bindDN = ldapjs.parseDN(ANONYMOUS)
    const entry = byKey.get(dnKey(dn.toString()))
    if (credentials === '') return response.end(UNWILLING)
    if (!entry || !storedPasswords(entry).includes(credentials)) return response.end(INVALID_CREDENTIALS)
    response.end()
    next()
  })

  server.search('', (request: Request, response: Response) => {
    if (request.connection.ldap.bindDN.toString() === ANONYMOUS) return response.end(INSUFFICIENT_ACCESS)
    if (!byKey.has(dnKey(request.dn.toString()))) return response.end(NO_SUCH_OBJECT)
    const found = entries.filter((entry) => isInScope(entry.dn, request) && matches(request.filter, entry))
    const limit = request.sizeLimit || found.length
    // ldapjs would leave out attributes requested in another case.
    response.attributes = []
    for (const entry of found.slice(0, limit))
      response.send({ dn: entry.dn, attributes: selectionOf(entry, request.attributes) })
    response.end(found.length > limit ? SIZE_LIMIT_EXCEEDED : 0)
  })

  server.exop(WHO_AM_I, ({ connection }: Request, response: Response) => {
    const name = connection.ldap.bindDN.toString()
    response.responseValue = name === ANONYMOUS ? '' : `dn:${name}`
    response.end()
  })

  return server
}

/** The depth of an entry below the base; undefined for an entry elsewhere. */
function distance(dn: string, base: string): number | undefined {
  const depth = dnElements(dn).length - dnElements(base).length
  return `,${dnKey(dn)}`.endsWith(`,${dnKey(base)}`) ? depth : undefined
}

function isInScope(dn: string, { dn: base, scope }: Request): boolean {
  const { nearest, farthest } = SCOPES[scope] ?? { nearest: 0, farthest: 0 }
  const depth = distance(dn, base.toString())
  return depth !== undefined && depth >= nearest && depth <= farthest
}

/** The part of ldapjs's filters that identifies them. */
export interface LdapFilter {
  readonly type: string
  readonly attribute: string
  readonly value?: string
  readonly matchingRule?: string
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

/** LDAP_MATCHING_RULE_BIT_AND (MS-ADTS section 3.1.1.3.4.4.1). */
const BITS = '1.2.840.113556.1.4.803'

const MATCHES: Readonly<Record<string, (filter: LdapFilter, entry: Entry) => boolean>> = {
  AndFilter: ({ clauses }, entry) => clauses.every((clause) => matches(clause, entry)),
  OrFilter: ({ clauses }, entry) => clauses.some((clause) => matches(clause, entry)),
  NotFilter: ({ clauses }, entry) => !clauses.some((clause) => matches(clause, entry)),
  PresenceFilter: ({ attribute }, entry) => valuesOf(entry, attribute).length > 0,
  EqualityFilter: equal,
  ApproximateFilter: equal,
  ExtensibleFilter: ({ attribute, matchingRule, value }, entry) =>
    matchingRule === BITS &&
    valuesOf(entry, attribute).some((given) => (Number(given) & Number(value)) === Number(value)),
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
  const shown = Object.entries(attributes).filter(([name]) => {
    const key = name.toLowerCase()
    return key !== SECRET && (key === OPERATIONAL ? names.includes(key) : isWanted(key))
  })
  return Object.fromEntries(shown.map(([name, values]) => [name, [...values]]))
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
